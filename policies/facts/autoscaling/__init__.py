"""Autoscalers: what a cluster says about nodes that aren't there and that one of them may add."""
