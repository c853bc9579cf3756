"""The last stage of a request that writes a policy or a binding: the conditions of an update, the metadata and the spec.

Source: k8s.io/apiserver pkg/registry/rest/update.go, and k8s.io/kubernetes pkg/registry/admissionregistration/*/strategy.go.
"""

from __future__ import annotations

from functools import lru_cache

from weighbridge.policies.admission_policies import acceptance_wordings as wordings
from weighbridge.policies.admission_policies.acceptance import STATIC, PolicyKind, is_static_name, policy_errors
from weighbridge.policies.apiserver.admission import Validated
from weighbridge.policies.apiserver.built_in import plural_of
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.named_resources import built_in_resource
from weighbridge.policies.apiserver.prepare import prepare_for_update, unmet_precondition
from weighbridge.policies.apiserver.refusal import Refusal, invalid, not_found
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, metadata_of, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.metadata_decode import coerce_metadata
from weighbridge.policies.schema.object_meta import merged_errors, path_segment_name, validate_object_meta, validate_object_meta_update

_METADATA = "metadata"


def validate_write(request: Request, kind: PolicyKind, obj: JSONObject) -> Validated:
    """Whether the server would store a decoded policy or binding."""
    if request.operation is Operation.UPDATE:
        return _update(request, kind, obj)
    errors = policy_errors(request, kind, obj)
    return Validated(obj, errors, [], _refusal(request, obj, errors))


def _update(request: Request, kind: PolicyKind, obj: JSONObject) -> Validated:
    resource = _resource(request.gvk)
    if not isinstance(request.old_object, dict):
        return Validated(obj, [], [], not_found(resource, request.name or name_of(obj)))
    metadata, old = metadata_of(obj), coerce_metadata(metadata_of(request.old_object)).metadata
    refusal = unmet_precondition(obj, {_METADATA: old}, resource, request, stored_in=resource.plural)
    if refusal is not None:
        return Validated(obj, [], [], refusal)
    prepare_for_update({_METADATA: metadata}, {_METADATA: old}, resource)
    errors = validate_object_meta(metadata, namespaced=False, path=_METADATA, name_rule=path_segment_name)
    errors += validate_object_meta_update(metadata, old, path=_METADATA, versioned=bool(old.get("resourceVersion")))
    errors = merged_errors([*errors, *policy_errors(request, kind, obj)])
    refusal = _refusal(request, obj, errors)
    warnings = [wordings.static_name_warning(STATIC)] if refusal is None and is_static_name(name_of(obj)) else []
    return Validated(obj, errors, warnings, refusal)


def _refusal(request: Request, obj: JSONObject, errors: list[FieldError]) -> Refusal | None:
    return invalid(request.gvk.kind, request.gvk.group, request.name or name_of(obj), errors) if errors else None


@lru_cache(maxsize=8)
def _resource(gvk: GroupVersionKind) -> ResourceDefinition:
    """The resource of a kind, for answers that name it."""
    return built_in_resource(gvk, plural_of(gvk.kind))
