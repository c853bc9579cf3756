"""Policies and rules, exported for the API server."""
