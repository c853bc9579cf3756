"""The steps of a request, and the decision that comes of them."""
