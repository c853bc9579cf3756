"""The API server's part of admission: `decode` before the mutating webhooks, `redefault` after each, `validate` after all.

The resulting object lacks what only a server knows: uid, creationTimestamp, resourceVersion, managedFields and a name drawn for
generateName. On an update these are taken from the old object. The existence of the namespace, quotas and authorisation aren't checked.
Source: kubernetes-1.36, see also the imported modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from weighbridge.policies.apiserver.decode import Decoded, as_stored, decode, read_stored, redefault, refusal_of_changed
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.prepare import (
    drop_duplicate_owners,
    prepare_for_create,
    prepare_for_update,
    status_update,
    unmet_precondition,
    unversioned_create,
)
from weighbridge.policies.apiserver.refusal import Refusal, internal_error, invalid, not_found
from weighbridge.policies.apiserver.validation import ValidationOutcome, validate_create, validate_status_update, validate_update
from weighbridge.policies.apiserver.warnings import finalizer_warnings, headers
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation, metadata_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.embedded import EmbeddedResourceError
from weighbridge.policies.schema.go_values import deep_copy

__all__ = ["Decoded", "Refusal", "Validated", "decode", "headers", "redefault", "refusal_of_changed", "validate"]


@dataclass(frozen=True, slots=True)
class Validated:
    """A decoded object as the server would store it. If there are errors or a `refusal`, they say why it wouldn't.

    `warnings` are uncut: `headers` says which of the request's warnings reach the client.
    `cel_cost` is the cost of the rules in the server's units; it is above the budget of 10,000,000 if they were stopped.
    """

    object: JSONValue
    errors: list[FieldError]
    warnings: list[str]
    refusal: Refusal | None
    cel_cost: int = 0


def validate(request: Request, obj: JSONValue, definition: ResourceDefinition) -> Validated:
    """Validate `obj`, the result of `decode`, which webhooks may have changed. Neither the object nor the request is changed."""
    if request.operation not in {Operation.CREATE, Operation.UPDATE} or not isinstance(obj, dict):
        return Validated(None, [], [], None)
    is_new = request.operation is Operation.CREATE
    # A creation changes only the metadata and fields of the object's top level, so only these are copied.
    prepared: JSONObject = obj | {"metadata": deep_copy(obj.get("metadata", {}))} if is_new else deep_copy(obj)
    warnings = drop_duplicate_owners(prepared.setdefault("metadata", {}), after_mutation=True)
    return (_create if is_new else _update)(request, prepared, definition, warnings)


def _create(request: Request, obj: JSONObject, definition: ResourceDefinition, warnings: list[str]) -> Validated:
    entries = _kept_entries(request, obj, None, definition)
    is_name_made_up = prepare_for_create(obj, definition)
    with _tracked_by(entries, obj["metadata"]):
        outcome = validate_create(obj, definition)
    refusal = _refusal(obj, obj, definition, outcome) or (None if request.dry_run else unversioned_create(obj))
    warnings += outcome.warnings
    if refusal is None:
        warnings += finalizer_warnings(obj["metadata"], None)
    obj["metadata"].pop("resourceVersion", None)
    if is_name_made_up:
        del obj["metadata"]["name"]
    return Validated(as_stored(obj, definition), outcome.errors, warnings, refusal, outcome.cel_cost)


def _kept_entries(request: Request, obj: JSONObject, old: JSONObject | None, definition: ResourceDefinition) -> list[JSONObject]:
    """The entries of ``metadata.managedFields`` that go on to validation; few manifests have any."""
    if not metadata_of(request.object).get("managedFields"):
        return []
    from weighbridge.policies.apiserver.managed_fields import kept_entries

    return kept_entries(request.object, obj, old, definition)


def _update(request: Request, obj: JSONObject, definition: ResourceDefinition, warnings: list[str]) -> Validated:
    if not isinstance(request.old_object, dict):
        return Validated(obj, [], warnings, not_found(definition, request.name or obj["metadata"].get("name", "")))
    try:
        old = read_stored(request.old_object, definition)
    except EmbeddedResourceError as error:
        return Validated(obj, [], warnings, internal_error(str(error)))
    _share_namespace(obj["metadata"], old["metadata"])
    refusal = unmet_precondition(obj, old, definition, request)
    if refusal is not None:
        return Validated(obj, [], warnings, refusal)
    claimed = obj
    entries: list[JSONObject] = []
    if request.subresource == "status":
        obj = status_update(obj, old)
        judge: Callable[[JSONObject, JSONObject, ResourceDefinition], ValidationOutcome] = validate_status_update
    else:
        if not request.subresource:
            entries = _kept_entries(request, obj, old, definition)
        prepare_for_update(obj, old, definition)
        judge = validate_update
    with _tracked_by(entries, obj["metadata"]):
        outcome = judge(obj, old, definition)
    if not request.dry_run:
        # A stored object has none. A dry run is answered with the object before it is stored.
        obj["metadata"].pop("selfLink", None)
    refusal = _refusal(obj, claimed, definition, outcome)
    warnings += outcome.warnings
    if refusal is None and request.subresource != "status":
        warnings += finalizer_warnings(obj["metadata"], old["metadata"])
    return Validated(as_stored(obj, definition), outcome.errors, warnings, refusal, outcome.cel_cost)


@contextmanager
def _tracked_by(entries: list[JSONObject], metadata: JSONObject) -> Iterator[None]:
    """Within the block the metadata has these managedFields instead of the stored ones, which are always valid."""
    stored = metadata.pop("managedFields", None)
    if entries:
        metadata["managedFields"] = entries
    yield
    metadata.pop("managedFields", None)
    if stored is not None:
        metadata["managedFields"] = stored


def _share_namespace(metadata: JSONObject, old: JSONObject) -> None:
    """Copy the namespace to the one of both that lacks it: a manifest needs none, since the server has it from the URL."""
    if "namespace" in old:
        metadata.setdefault("namespace", old["namespace"])
    elif "namespace" in metadata:
        old["namespace"] = metadata["namespace"]


def _refusal(obj: JSONObject, body: JSONObject, definition: ResourceDefinition, outcome: ValidationOutcome) -> Refusal | None:
    """The 422 with all errors; it names the kind that the body claims, even if that is one of the errors."""
    if not outcome.errors:
        return None
    claimed = GroupVersionKind.from_object(body) or definition.gvk
    return invalid(claimed.kind, claimed.group, obj["metadata"].get("name", ""), outcome.errors)
