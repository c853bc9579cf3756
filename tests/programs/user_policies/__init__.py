"""Writes the types of built-in kinds that policies of the configuration see."""
