"""Pod Security Standards: the answers of kube-apiserver's plugin PodSecurity to a pod, by the labels of its namespace.

Source: Kubernetes v1.37, k8s.io/pod-security-admission, which the plugin (plugin/pkg/admission/security/podsecurity) wraps.
"""
