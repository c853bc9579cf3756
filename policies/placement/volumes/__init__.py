"""A pod's volumes: its claims, the nodes that can reach their volumes, and how many volumes a node can attach."""
