"""Policies and rules in the server's words."""
