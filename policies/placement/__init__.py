"""Placement: whether kube-scheduler would find a node for a pod (`placement.place`), and what it would say if not."""
