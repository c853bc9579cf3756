"""Requests that no client should send, drawn from a seed, and the long run of them that `make fuzz` is."""
