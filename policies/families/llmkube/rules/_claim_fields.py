"""The field of a service that decides on the claims and the volumes of its pods, and what to write there instead."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.families.llmkube.predictions.storage import cache
from weighbridge.policies.families.llmkube.subject.source import SourceKind
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import Path

OTHER_CACHE: Final = "use a cache that these nodes reach: modelCache.claimName, or persistence Ephemeral"


def field_of_volumes(service: Service) -> tuple[Path, str]:
    """The field that decides where the model is stored, and what to do if the nodes don't reach its volume."""
    if cache.own_claim(service.object, service.operator):
        return ("spec", "modelCache", "claimName"), "name a claim whose volume these nodes reach"
    if service.source.kind is SourceKind.CLAIM:
        return ("spec", "modelRef"), f"the Model's source is claim {service.source.claim}; its volume must be one that these nodes reach"
    return ("spec", "modelCache"), OTHER_CACHE


def field_of_claim(service: Service, name: str) -> Path:
    """The field that names a claim of the pods."""
    for index, volume in enumerate(items(service.spec, "extraVolumes")):
        if text(part(volume, "persistentVolumeClaim"), "claimName") == name:
            return ("spec", "extraVolumes", index, "persistentVolumeClaim", "claimName")
    return ("spec", "modelRef") if service.source.claim == name else field_of_volumes(service)[0]
