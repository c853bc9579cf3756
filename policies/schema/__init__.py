"""Structural schemas of CustomResourceDefinitions: default, prune and validate as the API server does."""
