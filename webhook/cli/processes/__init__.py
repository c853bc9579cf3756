"""Shares the work of a run among processes."""
