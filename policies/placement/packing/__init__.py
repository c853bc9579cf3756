"""Checks whether pods fit together on an empty cluster.

Equal pods and equal nodes are grouped; the answer is "no" only if that is proven.
"""
