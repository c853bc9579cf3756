"""Compares the type checks of admission policies with those of kube-controller-manager."""
