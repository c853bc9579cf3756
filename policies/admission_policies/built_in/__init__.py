"""Policies of the cluster about Kubernetes' own kinds."""
