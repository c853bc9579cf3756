"""Rules of the Gateway API Inference Extension as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.native import NativeRule

TABLE: Final[Mapping[str, NativeRule]] = {
    "GIE-014": NativeRule(
        (
            Validation(
                "object.?spec.endpointPickerRef.hasValue() || object.?spec.targetPorts.orValue([]).size() == 0",
                message="is missing; gateways that need a picker won't accept the pool",
                field_path=".spec.endpointPickerRef",
            ),
        ),
        kinds=("InferencePool.inference.networking.k8s.io",),
    ),
}
