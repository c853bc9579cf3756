"""Autoscalers: the nodes that they may add, as far as the cluster's objects describe them."""
