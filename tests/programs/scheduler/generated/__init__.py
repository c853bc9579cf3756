"""Clusters and pods made up from a seed: the same seed, the same questions."""
