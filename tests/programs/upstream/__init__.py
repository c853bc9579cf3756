"""Compares a checkout of an upstream project with what is bundled and modelled of it; see `__main__`."""
