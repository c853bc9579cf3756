"""Pods and workloads as kube-apiserver handles them: the fields that it fills in, the requests that it computes, and its refusals."""
