"""Compares the outcome of requests under ValidatingAdmissionPolicies on a real kube-apiserver and here."""
