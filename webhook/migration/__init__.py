"""Writes migrated objects into the texts from which they were read."""
