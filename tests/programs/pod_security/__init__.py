"""Generated pods and workloads, which Pod Security Standards judge here and on a real kube-apiserver."""
