"""Migrated objects written into the texts that they were read from."""
