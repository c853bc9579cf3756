"""Sums of quotas over replicas and several objects, compared with a real kube-apiserver that gets every object."""
