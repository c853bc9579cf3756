"""The prediction for a ModelRouter: its backends with their addresses, the compiled routes, the proxy and the status."""
