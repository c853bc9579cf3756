"""What is said of the pods of a request's object: together with others, with what runs now, and by what admits them."""
