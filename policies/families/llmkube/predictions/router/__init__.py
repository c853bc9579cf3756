"""The prediction for a ModelRouter: its backends and their addresses, the compiled routes, the proxy, the status."""
