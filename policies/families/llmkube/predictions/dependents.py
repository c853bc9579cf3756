"""Which objects of LLMKube depend on which others, as keys under which the store files them.

A service depends on the Models that it serves and drafts with, in its own namespace. Within a ModelPool it depends on the Models of all
members, because the operator ignores the pool if one of them is served on metal. Routers, adapters, pools and quotas depend on services.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.subject.adapters import target
from weighbridge.policies.families.llmkube.subject.pool_members import member_names, pools_with
from weighbridge.policies.families.llmkube.subject.references import SERVICES
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

_MODEL: Final = "Model"
_SELF: Final = "InferenceService"
_POOLS: Final = "pools of the namespace"
_CLAIMS: Final = "claims of the namespace"
_QUOTAS: Final = "quotas"


def service_goes_by(service: JSONObject) -> Iterator[Hashable]:
    """The keys of an InferenceService."""
    spec, namespace = spec_of(service), namespace_of(service)
    yield _MODEL, namespace, text(spec, "modelRef")
    yield _MODEL, namespace, text(part(spec, "speculativeDecoding"), "draftModelRef")
    yield _SELF, namespace, name_of(service)
    yield _CLAIMS, namespace


def router_goes_by(router: JSONObject) -> Iterator[Hashable]:
    """The keys of a ModelRouter: the services of its backends, and the pools of its namespace."""
    namespace = namespace_of(router)
    for backend in items(spec_of(router), "backends"):
        yield _SELF, namespace, text(part(backend, "inferenceServiceRef"), "name")
    yield _POOLS, namespace


def adapter_goes_by(adapter: JSONObject) -> Iterator[Hashable]:
    """The key of a LoRAAdapter: the service that it is for."""
    yield _SELF, *target(adapter, namespace_of(adapter))


def pool_goes_by(pool: JSONObject) -> Iterator[Hashable]:
    """The keys of a ModelPool: its members."""
    for member in member_names(pool):
        yield _SELF, namespace_of(pool), member


def quota_goes_by(quota: JSONObject) -> Iterator[Hashable]:
    """The key of a GPUQuota, which counts services of any namespace."""
    yield _QUOTAS


def service_keys(service: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The keys of what depends on a service."""
    yield _SELF, namespace_of(service), name_of(service)
    yield _QUOTAS


def pool_keys(pool: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The keys of the members of a pool, and of the routers of its namespace."""
    yield from pool_goes_by(pool)
    yield _POOLS, namespace_of(pool)


def claim_keys(claim: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The key of the services that may mount a claim: all services of its namespace."""
    yield _CLAIMS, namespace_of(claim)


def model_keys(model: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The keys of the services that depend on a Model."""
    namespace, own = namespace_of(model), (_MODEL, namespace_of(model), name_of(model))
    yield own
    yield _QUOTAS
    for service in facts.objects.read_where(SERVICES.group, SERVICES.kind, itself, service_goes_by, own):
        yield _SELF, namespace, name_of(service)
        for pool in pools_with(facts, namespace, name_of(service)):
            for member in member_names(pool):
                yield _SELF, namespace, member


#: For each kind the function with the keys of what its objects depend on, and the one with the keys of what depends on its objects.
GOES_BY: Final[dict[str, Callable[[JSONObject], Iterator[Hashable]]]] = {
    "InferenceService": service_goes_by,
    "ModelRouter": router_goes_by,
    "LoRAAdapter": adapter_goes_by,
    "ModelPool": pool_goes_by,
    "GPUQuota": quota_goes_by,
}
KEYS: Final[dict[str, Callable[[JSONObject, Facts], Iterator[Hashable]]]] = {
    "Model": model_keys,
    "InferenceService": service_keys,
    "ModelPool": pool_keys,
    "PersistentVolumeClaim": claim_keys,
}
