"""The Service of an endpoint picker, as it stands in the cluster. Source: Kubernetes v1.36, core/v1 Service."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.subject.pool import Pool
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.fields import items, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject

SERVICES: Final = Referent("", "Service")


def service_of(pool: Pool, facts: Facts) -> JSONObject | None:
    """The Service that a pool names as its picker; `None` where it names none, or none is known."""
    picker = pool.picker
    return SERVICES.get(facts, pool.namespace, picker.name) if picker is not None and picker.is_service else None


def is_external(service: JSONObject) -> bool:
    """Whether the Service is a name of the DNS elsewhere."""
    return text(service.get("spec"), "type") == "ExternalName"


def ports_of(service: JSONObject) -> list[int]:
    """The ports of a Service."""
    return sorted({whole(port, "port") for port in items(service, "spec", "ports")} - {0})


def selector_of(service: JSONObject) -> dict[str, str]:
    """The labels of the pods behind a Service."""
    return text_map(service, "spec", "selector")
