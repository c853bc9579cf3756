"""Rules of the Gateway API Inference Extension as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native

TABLE: Final[Mapping[str, NativeRule]] = {
    "GIE-014": native(
        must(
            "object.?spec.endpointPickerRef.hasValue() || object.?spec.targetPorts.orValue([]).size() == 0",
            ".spec.endpointPickerRef",
            "is missing; gateways that need a picker won't accept the pool",
        ),
        kinds=("InferencePool.inference.networking.k8s.io",),
    ),
}
