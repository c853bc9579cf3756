"""The objects that depend on a pool, and the pools that depend on a picker's Service, and why one of them gets no traffic.

No operator creates anything for these objects, so a missing pool or Service shows only when requests fail.
Source: Gateway API Inference Extension v1.6.0, conformance/tests (httproute_invalid_inferencepool_ref.go,
inferencepool_invalid_epp_service.go); v0.5.1, pkg/epp/controller/inferencemodel_reconciler.go.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.inference_extension.subject.picker_service import SERVICES
from weighbridge.policies.families.inference_extension.subject.pool import GROUPS, pool_of
from weighbridge.policies.families.inference_extension.subject.pool_reference import reference_of
from weighbridge.policies.families.inference_extension.subject.routes import Backend, read_route
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of


def named_pool(obj: JSONObject) -> Iterable[Hashable]:
    """The pool that `poolRef` of an object names."""
    return [(namespace_of(obj), text(part(spec_of(obj), "poolRef"), "name"))]


def named_backends(obj: JSONObject) -> Iterable[Hashable]:
    """The backends of a route."""
    return [(ref.namespace, ref.name) for ref in read_route(obj).backends]


def named_picker(obj: JSONObject) -> Iterable[Hashable]:
    """The Service of a pool's picker."""
    spec = spec_of(obj)
    return [(namespace_of(obj), text(part(spec, field), "name")) for field in ("endpointPickerRef", "extensionRef") if field in spec]


def own_name(obj: JSONObject, _: Facts) -> Iterable[Hashable]:
    """The key of everything that names an object."""
    return [(namespace_of(obj), name_of(obj))]


def without_pool(obj: JSONObject, facts: Facts, _: Configuration) -> str:
    """Why an object with `poolRef` gets no traffic; empty if it does, or if that isn't known."""
    pool = reference_of(obj, str(obj.get("kind")), namespace_of(obj))
    objects = facts.objects
    if any(objects.get(group, "InferencePool", pool.namespace, pool.name) is not None for group in GROUPS):
        return ""
    return f'namespace "{pool.namespace}" has no InferencePool "{pool.name}"' if objects.knows_all(pool.group, "InferencePool") else ""


def without_backend(obj: JSONObject, facts: Facts, _: Configuration) -> str:
    """Why a route answers with 500: one of its backends is a missing pool. Empty if none is, or if that isn't known."""
    missing = next((ref for ref in read_route(obj).backends if _is_missing(ref, facts)), None)
    return f'namespace "{missing.namespace}" has no {missing}, so the route answers with 500' if missing is not None else ""


def _is_missing(ref: Backend, facts: Facts) -> bool:
    if ref.kind != "InferencePool" or ref.group not in GROUPS:
        return False
    return facts.objects.get(ref.group, ref.kind, ref.namespace, ref.name) is None and facts.objects.knows_all(ref.group, ref.kind)


def without_picker(obj: JSONObject, facts: Facts, _: Configuration) -> str:
    """Why a pool's gateway gets no endpoint: the picker's Service is missing. Empty if it isn't, or if that isn't known."""
    pool = pool_of(obj, str(obj.get("apiVersion", "")).rpartition("/")[0], namespace_of(obj))
    picker = pool.picker
    if picker is None or not picker.is_service or not SERVICES.is_missing(facts, pool.namespace, picker.name):
        return ""
    return f'namespace "{pool.namespace}" has no Service "{picker.name}", which the gateway calls for an endpoint'
