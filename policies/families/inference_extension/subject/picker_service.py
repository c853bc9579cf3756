"""The Service of an endpoint picker, as the cluster has it. Source: Kubernetes v1.36, core/v1 Service."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.subject.pool import Picker, Pool
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.fields import items, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

SERVICES: Final = Referent("", "Service")


@dataclass(frozen=True, slots=True)
class PickerService:
    """A pool, the picker that it names, and the picker's Service."""

    pool: Pool
    picker: Picker
    object: JSONObject

    @property
    def is_external(self) -> bool:
        """Whether the Service is an alias for an external DNS name."""
        return text(self.object.get("spec"), "type") == "ExternalName"

    @property
    def ports(self) -> list[int]:
        """The ports of the Service."""
        return sorted({whole(port, "port") for port in items(self.object, "spec", "ports")} - {0})

    @property
    def selector(self) -> dict[str, str]:
        """The labels of the pods behind the Service."""
        return text_map(self.object, "spec", "selector")


def picker_service(pool: Pool, facts: Facts) -> PickerService | None:
    """The Service that a pool names as its picker; `None` if it names none, or none is known."""
    picker = pool.picker
    found = SERVICES.get(facts, pool.namespace, picker.name) if picker is not None and picker.is_service else None
    return PickerService(pool, picker, found) if picker is not None and found is not None else None
