"""Objects that a tree doesn't hold as they are applied: Helm charts and kustomize overlays, rendered by their own programs.

Findings are led back to the file of the tree that holds the value.
"""
