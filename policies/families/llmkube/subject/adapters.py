"""The service that a LoRAAdapter refers to, and whether that service's engine can load it.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject

#: The only engine that loads adapters while it runs.
SGLANG: Final = "sglang"


def target(adapter: JSONObject | None, namespace: str) -> tuple[str, str]:
    """The namespace and name of the service that an adapter is for; the namespace is its own unless it says otherwise."""
    reference = part(spec_of(adapter), "inferenceServiceRef")
    named = reference.get("namespace")
    return (named if isinstance(named, str) else namespace), text(reference, "name")


def runtime(service: JSONObject) -> str:
    """The engine of a service, with the CRD's default."""
    return text(spec_of(service), "runtime") or "llamacpp"
