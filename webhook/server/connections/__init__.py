"""The connections of a port: which may be open, how each speaks HTTP, and the server that accepts them."""
