"""Which InferenceServices depend on a Model, by keys under which the store files them.

A service goes by the Models that it serves and drafts with, in its own namespace. Within a ModelPool it goes by the Models of all members,
since the operator leaves the pool alone where one of them is served on metal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.subject.pool_members import member_names, pools_with
from weighbridge.policies.families.llmkube.subject.references import SERVICES
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

_MODEL: Final = "Model"
_SELF: Final = "InferenceService"


def service_goes_by(service: JSONObject) -> Iterator[Hashable]:
    """The keys of an InferenceService."""
    spec, namespace = spec_of(service), namespace_of(service)
    yield _MODEL, namespace, text(spec, "modelRef")
    yield _MODEL, namespace, text(part(spec, "speculativeDecoding"), "draftModelRef")
    yield _SELF, namespace, name_of(service)


def model_keys(model: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The keys of the services that depend on a Model."""
    namespace, own = namespace_of(model), (_MODEL, namespace_of(model), name_of(model))
    yield own
    for service in facts.objects.read_where(SERVICES.group, SERVICES.kind, itself, service_goes_by, own):
        for pool in pools_with(facts, namespace, name_of(service)):
            for member in member_names(pool):
                yield _SELF, namespace, member
