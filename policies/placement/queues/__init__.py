"""Pods that the queues of other systems never admit: Kueue, Volcano."""
