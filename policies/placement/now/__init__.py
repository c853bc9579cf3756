"""Placement with the pods that run now: what is free, which pods would have to go, and how it is said."""
