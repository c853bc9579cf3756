"""Fills in an InferenceService: kind, images, names, tolerations.

Each step sees the values of those before it. Weighbridge doesn't fill in the mode and the replicas, which OME's own webhook writes. A value
that depends on an unknown object is left open, and the next update of the service fills it in.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.ome.fill.model_kind import fill_kind
from weighbridge.policies.families.ome.fill.runner_images import fill_images
from weighbridge.policies.families.ome.fill.runner_names import fill_names
from weighbridge.policies.families.ome.fill.tolerations import fill_tolerations, without_filled
from weighbridge.policies.families.ome.subject.named_object import named_object
from weighbridge.policies.families.ome.subject.service import Service
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a service."""
    obj = named_object(replace(request, object=mutation.object))
    if obj is None:
        return
    fill_kind(mutation, namespace_of(obj), facts)
    service = _service(mutation.object, request, facts, config)
    runtime, before = service.runtime if service is not None else None, len(mutation.patch)
    fill_images(mutation, runtime, config)
    fill_names(mutation, runtime)
    bare = without_filled(mutation)
    if bare is not mutation.object or len(mutation.patch) > before:
        service = _service(bare, request, facts, config)
    if service is not None:
        fill_tolerations(mutation, service, facts, config)


def _service(obj: JSONObject, request: Request, facts: Facts, config: Configuration) -> Service | None:
    found = named_object(replace(request, object=obj))
    return Service(found, facts, config) if found is not None else None
