"""Clusters and pods generated from a seed: the same seed gives the same questions."""
