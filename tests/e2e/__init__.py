"""The webhook called by a real kube-apiserver, with kubectl and the Python client as its users."""
