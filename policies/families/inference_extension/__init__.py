"""Gateway API Inference Extension (inference.networking.x-k8s.io): InferenceModel, as shipped up to v0.5.1.

Upstream: https://github.com/kubernetes-sigs/gateway-api-inference-extension.
"""
