"""Writes the types of built-in kinds."""
