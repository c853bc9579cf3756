"""What kube-apiserver checks of a pod and of what makes pods, in its order and words."""
