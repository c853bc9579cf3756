"""Renders Helm charts and kustomize overlays, by their own programs, to the objects that are applied.

Findings refer to the file of the tree that has the value.
"""
