"""A ModelRouter on its way: its backends and their addresses, the compiled routes, the proxy, the status."""
