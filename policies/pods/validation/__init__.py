"""kube-apiserver's checks of pods and workloads, in its order and with its messages."""
