"""The API server's part of admission for CustomResourceDefinitions themselves: decoding before the mutating webhooks, validation after.

As for custom resources, the resulting object lacks what only a server knows. Source: kubernetes-1.36,
k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition, apiserver/pkg/endpoints/handlers, see also the imported modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.acceptance import wordings as definition_wordings
from weighbridge.policies.apiserver.acceptance.definition_types import DEFINITION, SPEC
from weighbridge.policies.apiserver.acceptance.definition_validation import (
    create_errors,
    format_warnings,
    set_warnings,
    status_update_errors,
    update_errors,
)
from weighbridge.policies.apiserver.acceptance.semantic_equality import semantically_equal
from weighbridge.policies.apiserver.acceptance.stored_form import add_storage_version, fill_in, written
from weighbridge.policies.apiserver.acceptance.typed_decode import MAX_DEPTH, decode_typed, nests_too_deep
from weighbridge.policies.apiserver.admission import Validated
from weighbridge.policies.apiserver.decode import SYSTEM_METADATA, UNDECODABLE, Decoded, pass_gates
from weighbridge.policies.apiserver.named_resources import built_in_resource
from weighbridge.policies.apiserver.prepare import (
    drop_duplicate_owners,
    generated_name,
    prepare_for_update,
    unmet_precondition,
    unversioned_create,
)
from weighbridge.policies.apiserver.refusal import Refusal, bad_request, invalid, not_found, not_registered, unfit
from weighbridge.policies.apiserver.type_meta import TypeMeta, read_type_meta
from weighbridge.policies.apiserver.unknown_fields import StrictErrors, duplicate_texts
from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, JSONValue, Operation, Path, field
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.schema.metadata_decode import coerce_metadata

KIND: Final = GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
_OLDER_VERSION: Final = "v1beta1"
_TOO_DEEP: Final = definition_wordings.nests_too_deep(MAX_DEPTH)
_MAX_STRICT_ERRORS: Final = 100
#: The resource of definitions, for answers that name it.
_RESOURCE: Final = built_in_resource(KIND, "customresourcedefinitions")


def decode_definition(request: Request, *, duplicates: Sequence[Path] = ()) -> Decoded:
    """Decode the request's body as the API server decodes a definition. The request isn't changed.

    `duplicates` are the duplicate fields in the text of the body, in its order.
    """
    if request.operation not in {Operation.CREATE, Operation.UPDATE}:
        return Decoded(None, [], None, [])
    body = _with_type(request.object)
    types = read_type_meta(body, KIND, validated=request.field_validation is not FieldValidation.IGNORE)
    if isinstance(types, Refusal):
        quoting = read_type_meta(request.object, KIND, validated=True)
        return _refused(quoting if isinstance(quoting, Refusal) else types)
    if (types.group, types.version, types.kind) != (KIND.group, KIND.version, KIND.kind):
        return _refused(_of_another_kind(types))
    if nests_too_deep(body):
        return _refused(bad_request(_TOO_DEEP))
    typed = decode_typed(body, DEFINITION)
    if typed.error:
        return _refused(_unfit(typed.error))
    obj = _complete(typed.value)
    strict = StrictErrors([path for path in duplicates if field(path) in typed.known], typed.unknown)
    texts = _strict_texts(strict)
    findings = strict.findings(None, request.field_validation)
    if texts and request.field_validation is FieldValidation.STRICT:
        return Decoded(obj, [], _unfit(wordings.strict_errors(texts)), findings)
    warnings = texts if request.field_validation is FieldValidation.WARN else []
    refusal = pass_gates(obj["metadata"], request)
    if refusal is not None:
        findings.append(_finding(refusal))
    return Decoded(obj, warnings + drop_duplicate_owners(obj["metadata"], after_mutation=False), refusal, findings)


def _with_type(body: JSONValue) -> JSONValue:
    """The body, with the endpoint's apiVersion and kind if it has none."""
    if body is None:
        return {"apiVersion": KIND.api_version, "kind": KIND.kind}
    if not isinstance(body, dict):
        return body
    supplied = {key: text for key, text in (("apiVersion", KIND.api_version), ("kind", KIND.kind)) if body.get(key) in (None, "")}
    return {**body, **supplied}


def _refused(refusal: Refusal) -> Decoded:
    return Decoded(None, [], refusal, [_finding(refusal)])


def _finding(refusal: Refusal) -> Finding:
    return Finding(UNDECODABLE, Severity.ERROR, (), refusal.message)


def _unfit(why: str) -> Refusal:
    return unfit(KIND.kind, KIND.version, KIND.kind, why)


def _of_another_kind(types: TypeMeta) -> Refusal:
    """The refusal of a body of another kind or version; the server still knows the older version, and decodes it before it refuses."""
    if (types.group, types.version, types.kind) == (KIND.group, _OLDER_VERSION, KIND.kind):
        return bad_request(wordings.wrong_version(types.api_version, KIND.api_version))
    why = not_registered(definition_wordings.registered_elsewhere(types.kind, types.api_version))
    return unfit(types.kind, types.version, KIND.kind, why)


def _strict_texts(strict: StrictErrors) -> list[str]:
    return [*duplicate_texts(strict.duplicates), *(wordings.unknown_field_of_type(path) for path in strict.unknown)][:_MAX_STRICT_ERRORS]


def _complete(typed: JSONObject) -> JSONObject:
    """A decoded definition with its defaults, and metadata in the form that validation expects."""
    obj: JSONObject = deep_copy(typed)
    obj["metadata"] = coerce_metadata(obj.get("metadata")).metadata
    fill_in(obj)
    return {"apiVersion": KIND.api_version, "kind": KIND.kind, **obj}


def _read(obj: JSONObject) -> JSONObject:
    """A definition from JSON, as webhooks left it or as it is stored: decoded, with its defaults."""
    return _complete(decode_typed(obj, DEFINITION).value)


def validate_definition(request: Request, obj: JSONValue) -> Validated:
    """Validate `obj`, the result of `decode_definition`, which webhooks may have changed. Neither the object nor the request is changed."""
    if request.operation not in {Operation.CREATE, Operation.UPDATE} or not isinstance(obj, dict):
        return Validated(None, [], [], None)
    if nests_too_deep(obj) or nests_too_deep(request.old_object):
        return Validated(obj, [], [], bad_request(_TOO_DEEP))
    prepared = _read(obj)
    warnings = drop_duplicate_owners(prepared["metadata"], after_mutation=True)
    if request.operation is Operation.CREATE:
        return _create(request, prepared, warnings)
    return _update(request, prepared, warnings)


def acceptance_errors(crd: JSONObject) -> list[FieldError]:
    """Why a server wouldn't create a definition; empty if it would. Unknown fields aren't errors.

    If a field has a wrong type, that is the only error: the server stops there.
    """
    if nests_too_deep(crd):
        return [FieldError(ErrorType.INVALID, "", OMITTED, _TOO_DEEP)]
    typed = decode_typed(crd, DEFINITION)
    if typed.error:
        return [FieldError(ErrorType.INVALID, "", OMITTED, typed.error)]
    prepared = _complete(typed.value)
    for key in SYSTEM_METADATA:
        prepared["metadata"].pop(key, None)
    prepared["metadata"].pop("namespace", None)
    _prepare_for_create(prepared)
    return create_errors(prepared)


def _prepare_for_create(obj: JSONObject) -> bool:
    """Set the generation and the status of the object, and name it. Returns whether the name is a placeholder."""
    obj["metadata"]["generation"] = 1
    obj["status"] = {}
    add_storage_version(obj)
    metadata = obj["metadata"]
    if metadata.get("name") or not metadata.get("generateName"):
        return False
    metadata["name"] = generated_name(metadata["generateName"])
    return True


def _create(request: Request, obj: JSONObject, warnings: list[str]) -> Validated:
    is_name_made_up = _prepare_for_create(obj)
    errors = create_errors(obj)
    refusal = _refusal(obj, errors) or (None if request.dry_run else unversioned_create(obj))
    if refusal is None:
        warnings += format_warnings(obj, None) + set_warnings(obj, None)
    obj["metadata"].pop("resourceVersion", None)
    if is_name_made_up:
        del obj["metadata"]["name"]
    return Validated(written(obj), errors, warnings, refusal)


def _update(request: Request, obj: JSONObject, warnings: list[str]) -> Validated:
    if not isinstance(request.old_object, dict):
        return Validated(written(obj), [], warnings, not_found(_RESOURCE, request.name or obj["metadata"].get("name", "")))
    old = _read(request.old_object)
    old["metadata"].setdefault("generation", 1)
    refusal = unmet_precondition(obj, old, _RESOURCE, request)
    if refusal is not None:
        return Validated(written(obj), [], warnings, refusal)
    _prepare_for_update(obj, old, is_status=request.subresource == "status")
    errors = status_update_errors(obj, old) if request.subresource == "status" else update_errors(obj, old)
    refusal = _refusal(obj, errors)
    if refusal is None and request.subresource != "status":
        warnings += format_warnings(obj, old) + set_warnings(obj, old)
    return Validated(written(obj), errors, warnings, refusal)


def _prepare_for_update(obj: JSONObject, old: JSONObject, *, is_status: bool) -> None:
    """Restore what this endpoint doesn't change, and increase the generation if the spec has changed."""
    prepare_for_update({"metadata": obj["metadata"]}, {"metadata": old["metadata"]}, _RESOURCE)
    if is_status:
        obj["spec"] = old["spec"]
        return
    obj["status"] = deep_copy(old["status"])
    if not semantically_equal(obj["spec"], old["spec"], SPEC):
        obj["metadata"]["generation"] += 1
    add_storage_version(obj)


def _refusal(obj: JSONObject, errors: list[FieldError]) -> Refusal | None:
    return invalid(KIND.kind, KIND.group, obj["metadata"].get("name", ""), errors) if errors else None
