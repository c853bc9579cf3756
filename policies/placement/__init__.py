"""Placement: whether kube-scheduler would find a node for a pod (`placement.place`), and its message if not."""
