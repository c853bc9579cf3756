"""Quotas counted over replicas and several objects, here and by a real kube-apiserver that gets every object."""
