"""A pod's volumes: its claims, where their volumes can be reached, and how many a node can attach."""
