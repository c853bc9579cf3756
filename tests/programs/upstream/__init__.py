"""Compares a checkout of an upstream project with its bundled CRDs and modelled parts here; see `__main__`."""
