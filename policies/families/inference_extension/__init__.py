"""Gateway API Inference Extension: its kinds of both groups, as shipped from v0.2.0 to v1.6.0.

Upstream: https://github.com/kubernetes-sigs/gateway-api-inference-extension.
"""

from __future__ import annotations

from typing import Final

#: The API groups of its kinds.
GROUPS: Final = ("inference.networking.k8s.io", "inference.networking.x-k8s.io")
