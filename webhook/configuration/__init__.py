"""Reads configuration files; every error names its line, its field and the nearest valid key or value.

This package itself imports nothing: a command without a configuration doesn't wait for pydantic.
"""
