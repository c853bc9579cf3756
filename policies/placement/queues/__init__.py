"""What the queues of other systems than kube-scheduler never let go: Kueue, Volcano."""
