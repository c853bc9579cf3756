"""A pod, and what makes pods, as kube-apiserver takes them: what it fills in, what it makes of requests, why it refuses one."""
