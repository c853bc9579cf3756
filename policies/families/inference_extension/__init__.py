"""Gateway API Inference Extension (inference.networking.x-k8s.io): InferenceModel, as shipped up to v0.5.1.

Upstream: https://github.com/kubernetes-sigs/gateway-api-inference-extension.
"""

from __future__ import annotations

from typing import Final

#: The API groups of its kinds.
GROUPS: Final = ("inference.networking.x-k8s.io",)
