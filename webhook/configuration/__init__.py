"""Reads configuration files; every mistake names its line, its field and the nearest key or value that would do.

This package imports nothing by itself: a command without a configuration doesn't wait for pydantic.
"""
