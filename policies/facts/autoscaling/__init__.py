"""Autoscalers: what a cluster tells of nodes that aren't there and that one of them may bring."""
