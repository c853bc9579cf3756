"""A pod, and what makes pods, as kube-apiserver handles them: what it fills in, how it computes requests, why it refuses one."""
