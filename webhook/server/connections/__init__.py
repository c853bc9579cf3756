"""The connections of a port: their limits, their HTTP protocol, and the server that accepts them."""
