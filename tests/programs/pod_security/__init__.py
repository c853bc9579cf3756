"""Pods and workloads made up, judged by Pod Security Standards here and by a real kube-apiserver."""
