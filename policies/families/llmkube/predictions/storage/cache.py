"""The model cache: the claim into which the models of a namespace, or of one service, are downloaded.

The operator creates the claim before it looks at the engine or the accelerator, so even services that never mount it have one. Source:
LLMKube v0.9.19, internal/controller/model_storage.go and inferenceservice_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.source import Source, SourceKind
from weighbridge.policies.families.prediction import Event
from weighbridge.policies.families.references import CLAIMS
from weighbridge.policies.ground.field_errors import invalid_message
from weighbridge.policies.ground.fields import amount, part, text
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.validation.service import claim_errors

_OWNED: Final = "the claim is user-owned and must be created before use"
_NO_SIZE: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
SHARED_CLAIM: Final = "llmkube-model-cache"
FAILURE: Final = "Failed to create model cache PVC"
_DOWNLOADS: Final = "the model downloads into an ephemeral emptyDir and re-downloads on every pod restart"


@dataclass(frozen=True, slots=True)
class CacheClaims:
    """The claims that the operator creates for a service; `failure` is its message if it can't."""

    claims: tuple[JSONObject, ...] = ()
    failure: str = ""


def is_declined(service: JSONObject | None, operator: KnownOperator) -> bool:
    """Whether a service asks for an emptyDir instead of a cache."""
    return operator.since(0, 9, 15) and text(part(spec_of(service), "modelCache"), "persistence") == "Ephemeral"


def own_claim(service: JSONObject | None, operator: KnownOperator) -> str:
    """The claim that a service's author names as its cache; empty if they name none."""
    return text(part(spec_of(service), "modelCache"), "claimName") if operator.since(0, 8, 28) else ""


def is_used(service: JSONObject | None, key: str, operator: KnownOperator) -> bool:
    """Whether a pod downloads into the cache, where the model has this key."""
    return bool(operator.model_cache_path and key) and not is_declined(service, operator)


def claim_name(service: JSONObject | None, operator: KnownOperator) -> str:
    """The claim that is the cache of a service; without a service, the one of the namespace."""
    named = own_claim(service, operator)
    if named or service is None:
        return named or SHARED_CLAIM
    return f"{name_of(service)}-model-cache" if operator.model_cache_mode == "perService" else SHARED_CLAIM


def wanted(source: Source, key: str, service: JSONObject, operator: KnownOperator, facts: Facts) -> CacheClaims:
    """The claims for a service whose Model is Ready, given the Model's source and its key in the cache."""
    if not is_used(service, key, operator) or (source.kind is SourceKind.CLAIM and operator.since(0, 9, 14)):
        return CacheClaims()
    named = own_claim(service, operator)
    namespace = namespace_of(service)
    if named:
        missing = f"model cache PVC {quote(named)} (spec.modelCache.claimName) not found in namespace {quote(namespace)}: {_OWNED}"
        return _failed(operator, missing) if CLAIMS.is_missing(facts, namespace, named) else CacheClaims()
    name = claim_name(service, operator)
    if CLAIMS.get(facts, namespace, name) is not None:
        return CacheClaims()
    claim = made_claim(name, namespace, operator, shared=name == SHARED_CLAIM)
    if claim is None:
        return _failed(operator, f"invalid cache size {quote(operator.model_cache_size)}: {_NO_SIZE}")
    errors = list(claim_errors(claim))
    if errors:
        return _failed(operator, f"failed to create PVC: {invalid_message('PersistentVolumeClaim', '', name, errors)}")
    return CacheClaims((claim,))


def _failed(operator: KnownOperator, why: str) -> CacheClaims:
    """The operator's message; it has the reason since authors can name claims."""
    return CacheClaims(failure=f"Failed to ensure model cache PVC: {why}" if operator.since(0, 8, 28) else FAILURE)


def made_claim(name: str, namespace: str, operator: KnownOperator, *, shared: bool) -> JSONObject | None:
    """The claim that the operator creates; `None` if its configured size is no quantity. Only the shared claim can have another access
    mode.
    """
    size = amount(operator.model_cache_size or "100Gi")
    if size is None:
        return None
    many = shared and operator.model_cache_access_mode == "ReadWriteMany"
    spec: JSONObject = {
        "accessModes": ["ReadWriteMany" if many else "ReadWriteOnce"],
        "resources": {"requests": {"storage": size.canonical()}},
    }
    if operator.model_cache_storage_class:
        spec["storageClassName"] = operator.model_cache_storage_class
    labels = {
        "app.kubernetes.io/name": "llmkube",
        "app.kubernetes.io/component": "model-cache",
        "app.kubernetes.io/managed-by": "llmkube-controller",
    }
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": namespace, "labels": labels},
        "spec": spec,
    }


def events(model: JSONObject, source: Source, key: str, service: JSONObject, operator: KnownOperator, facts: Facts) -> Iterator[Event]:
    """The operator's warnings: a named claim that isn't used or doesn't exist, a download without a limit."""
    named = own_claim(service, operator)
    if named and source.kind is SourceKind.CLAIM:
        ignored = f"model source {quote(source.text)} is a pre-staged pvc:// volume (read-only, no download)"
    elif named and not operator.model_cache_path:
        ignored = f"model caching is disabled on the operator (--model-cache-path unset / chart modelCache.enabled=false); {_DOWNLOADS}"
    elif named and not key:
        ignored = f"model {quote(name_of(model))} has no cache key (local source, or fingerprinting has not completed yet); {_DOWNLOADS}"
    else:
        ignored = ""
    if ignored:
        yield Event("ModelCacheClaimIgnored", f"spec.modelCache.claimName is ignored: {ignored}")
    elif named and is_used(service, key, operator) and CLAIMS.is_missing(facts, namespace_of(service), named):
        yield Event(
            "ModelCachePVCNotFound",
            f"spec.modelCache.claimName {quote(named)} does not exist in namespace {quote(namespace_of(service))}; "
            "create the PVC or remove the field",
        )
    if is_declined(service, operator) and not text(part(spec_of(service), "resources"), "ephemeralStorage"):
        yield Event(
            "UnboundedEphemeralCache",
            "modelCache.persistence is Ephemeral but spec.resources.ephemeralStorage is unset: model weights download to node local "
            "disk with no size limit and no scheduler accounting. Set spec.resources.ephemeralStorage above the model size so an "
            "overrun evicts this pod rather than filling the node",
        )


def volume_origin(volume: JSONObject, model: JSONObject, service: JSONObject, operator: KnownOperator) -> tuple[str, str]:
    """The source of a volume, and the reason."""
    mine, theirs = f"InferenceService {name_of(service)}", f"Model {name_of(model)} spec.source"
    if volume["name"] == "model-cache":
        if own_claim(service, operator):
            return f"{mine} spec.modelCache.claimName", "the service names its own cache"
        return f"operator --model-cache-mode ({operator.origin('model_cache_mode')})", f"cache mode {operator.model_cache_mode}"
    if volume["name"] == "model-storage":
        if is_declined(service, operator):
            return f"{mine} spec.modelCache.persistence", "the service declines the cache"
        off = not operator.model_cache_path
        return (
            (f"operator --model-cache-path ({operator.origin('model_cache_path')})", "the cache is off")
            if off
            else (theirs, "the source has no key in the cache")
        )
    if volume["name"] == "custom-ca-cert":
        return f"operator --ca-cert-configmap ({operator.origin('ca_cert_configmap')})", "certificates that downloads trust"
    return theirs, "the source lies there"
