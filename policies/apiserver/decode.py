"""From a body to an object: what the API server does before any webhook sees a custom resource.

Type check, typed round trip of the metadata, pruning, dropping of nulls, strict errors, defaults, and the checks of name and namespace.
Source: apiextensions-apiserver/pkg/apiserver/customresource_handler.go, apiserver/pkg/endpoints/handlers/{create,update}.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.prepare import drop_duplicate_owners, generated_name, prepare_for_update, unmet_precondition
from weighbridge.policies.apiserver.refusal import Refusal, bad_request, invalid, misnamed, misplaced, not_found, unfit
from weighbridge.policies.apiserver.scale import decode_scale
from weighbridge.policies.apiserver.type_meta import TypeMeta, read_type_meta
from weighbridge.policies.apiserver.unknown_fields import StrictErrors, steps
from weighbridge.policies.apiserver.validation import validate_common
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue, Operation, Path, metadata_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.embedded import EmbeddedResourceError
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.schema.metadata_conversion import why_not_in_struct
from weighbridge.policies.schema.object_meta import MetadataDecodeError, coerce_metadata, stored_numbers

#: The id under which a body is reported that can't be read as an object.
UNDECODABLE: Final = "K8S-006"

_ROOT_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata"})
#: Fields that a creation can't set.
SYSTEM_METADATA: Final = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The result of decoding a body.

    `object` is a copy of the request's object as mutating webhooks would see it; `None` for a deletion, or if the body can't be read as an
    object. With a `refusal` the server stops here; the object is still given if there is one, so that it can be checked further. The
    `warnings` are uncut, see `headers`.
    """

    object: JSONValue
    warnings: list[str]
    refusal: Refusal | None
    findings: list[Finding]


class _Refused(Exception):  # noqa: N818 - ends the decoding, and is no error of ours
    """Ends the steps with a refusal and the field that caused it."""

    def __init__(self, refusal: Refusal, path: Path = ()) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.path = path


def decode(request: Request, definition: ResourceDefinition, *, duplicates: Sequence[Path] = ()) -> Decoded:
    """Decode the request's body as the API server does. The request isn't changed.

    `duplicates` are the duplicate fields in the text of the body, in its order. The name in the URL is `request.name` and the
    namespace `request.namespace`; either may be empty if it isn't known, and then it isn't compared.
    """
    if request.operation not in {Operation.CREATE, Operation.UPDATE}:
        return Decoded(None, [], None, [])
    state = _State(list(filter(None, [definition.deprecation_warning])), [])
    try:
        if request.subresource == "scale" and definition.scale is not None:
            _decode_scale(state, request, definition, definition.scale, duplicates)
        else:
            _decode_object(state, request, definition, duplicates)
    except _Refused as refused:
        finding = Finding(UNDECODABLE, Severity.ERROR, refused.path, refused.refusal.message)
        findings, refusal = [*state.findings, finding], state.refusal or refused.refusal
        obj = state.object if state.complete else None
        return Decoded(obj, state.warnings, refusal, findings)
    return Decoded(state.object, state.warnings, state.refusal, state.findings)


@dataclass(slots=True)
class _State:
    """The results of the steps so far."""

    warnings: list[str]
    findings: list[Finding]
    object: JSONValue = None
    refusal: Refusal | None = None
    complete: bool = False


def _decode_scale(state: _State, request: Request, definition: ResourceDefinition, paths: JSONObject, duplicates: Sequence[Path]) -> None:
    scaled = decode_scale(request, definition, paths, duplicates, state.warnings)
    if isinstance(scaled, Refusal):
        raise _Refused(scaled)
    state.object = scaled


def _decode_object(state: _State, request: Request, definition: ResourceDefinition, duplicates: Sequence[Path]) -> None:
    if request.subresource and not (request.subresource == "status" and definition.status_subresource):
        raise _Refused(not_found(definition, request.name))
    types = read_type_meta(request.object, definition.gvk, validated=request.field_validation is not FieldValidation.IGNORE)
    if isinstance(types, Refusal):
        raise _Refused(types, ("kind",))
    state.object = deep_copy(request.object)
    strict = StrictErrors(duplicates, _coerce(state.object, types, definition))
    _object_to(state, strict, request, types, definition)
    described = definition.siblings.get(types.version) if _is_of(types, definition) else None
    if described is not None:
        described.schema.default(state.object)
    if (types.group, types.version) != (definition.gvk.group, definition.gvk.version):
        found = f"{types.group}/{types.version}" if types.group else types.version
        raise _Refused(bad_request(wordings.wrong_version(found, definition.gvk.api_version)), ("apiVersion",))
    state.complete = True
    _pass_gates(state, request, definition)


def _is_of(types: TypeMeta, definition: ResourceDefinition) -> bool:
    """Whether the body claims the definition's group and kind, in any version."""
    return (types.group, types.kind) == (definition.gvk.group, definition.gvk.kind)


def _coerce(obj: JSONObject, types: TypeMeta, definition: ResourceDefinition) -> list[str]:
    """Treat metadata, unknown fields, nulls and embedded objects, in place. Returns the unknown fields in the server's order."""
    metadata: JSONObject | None = None
    unknown: list[str] = []
    try:
        if "metadata" in obj:
            coerced = coerce_metadata(obj["metadata"])
            metadata, unknown = coerced.metadata, coerced.unknown
        if _is_of(types, definition):
            unknown += _fit(obj, definition.siblings.get(types.version), definition)
    except MetadataDecodeError as error:
        raise _Refused(_unfit(types, definition, str(error)), ("metadata", *error.path)) from error
    except EmbeddedResourceError as error:
        raise _Refused(_unfit(types, definition, str(error)), steps(error.error.field)) from error
    if metadata is not None:
        obj["metadata"] = metadata
    return unknown


def _unfit(types: TypeMeta, definition: ResourceDefinition, why: str) -> Refusal:
    return unfit(types.kind, types.version, definition.gvk.kind, why)


def _fit(obj: JSONObject, described: ResourceDefinition | None, definition: ResourceDefinition) -> list[str]:
    """Fit the object to the schema of its version; if the CRD hasn't that version, all fields are unknown."""
    if described is None:
        if definition.preserve_unknown_fields:
            return []
        surplus = sorted(set(obj) - _ROOT_FIELDS)
        for key in surplus:
            del obj[key]
        return surplus
    unknown = []
    if not definition.preserve_unknown_fields:
        unknown = described.schema.prune(obj)
        described.schema.drop_nulls(obj)
    return unknown + described.embedded.coerce(obj)


def _object_to(state: _State, strict: StrictErrors, request: Request, types: TypeMeta, definition: ResourceDefinition) -> None:
    """Report unknown and duplicate fields as the request's field validation says."""
    described = definition.siblings.get(types.version)
    state.findings += strict.findings(described.schema.schema if described is not None else None, request.field_validation)
    if request.field_validation is FieldValidation.STRICT:
        state.refusal = strict.refusal(kind=types.kind, version=types.version)
    elif request.field_validation is FieldValidation.WARN:
        state.warnings += strict.texts


def pass_gates(metadata: JSONObject, request: Request) -> Refusal | None:
    """Take out of the metadata of an object without a namespace what a request can't set. Returns the refusal of a wrong name."""
    metadata.pop("namespace", None)
    if request.operation is Operation.CREATE:
        for key in SYSTEM_METADATA:
            metadata.pop(key, None)
        return None
    return misnamed(metadata.get("name", ""), request.name)


def _pass_gates(state: _State, request: Request, definition: ResourceDefinition) -> None:
    """Check namespace and name against the request, and treat system metadata and owner references."""
    metadata = state.object.setdefault("metadata", {})
    if request.operation is Operation.CREATE:
        for key in SYSTEM_METADATA:
            metadata.pop(key, None)
    _settle_namespace(metadata, request, definition)
    if request.operation is Operation.UPDATE:
        _check_name(metadata.get("name", ""), request.name)
    duplicates = drop_duplicate_owners(metadata, after_mutation=False)
    if state.refusal is None:
        state.warnings += duplicates


def _settle_namespace(metadata: JSONObject, request: Request, definition: ResourceDefinition) -> None:
    if not definition.namespaced:
        metadata.pop("namespace", None)
    elif request.namespace:
        if refusal := misplaced(metadata.get("namespace", request.namespace), request.namespace):
            raise _Refused(refusal, ("metadata", "namespace"))
        metadata["namespace"] = request.namespace


def _check_name(name: str, requested: str) -> None:
    if refusal := misnamed(name, requested):
        raise _Refused(refusal, ("metadata", "name"))


#: Fields of the metadata that the server sets before it reads them. Source: apiserver/pkg/registry/rest/{create,update,meta}.go.
_WRITTEN: Final = frozenset({"namespace", "generation", "creationTimestamp", "uid"})


def refusal_of_changed(obj: JSONObject, request: Request, definition: ResourceDefinition) -> Refusal | None:
    """The refusal of an object that admission has changed, if its metadata can't be read any more or has another namespace.

    The metadata is read anew, in place. Source: apiserver/pkg/registry/rest/{create,update,meta}.go, apiextensions-apiserver
    pkg/registry/customresource/validator.go, `getObjectMeta`.
    """
    metadata = obj.get("metadata", {})
    if request.operation is Operation.UPDATE and isinstance(request.old_object, dict):
        refusal = _unmet_version(metadata, request, request.old_object, definition)
        if refusal is not None:
            return refusal
    if not isinstance(metadata, dict):
        return Refusal(500, wordings.internal_error(wordings.NO_METADATA), [{"message": wordings.NO_METADATA}])
    written = _written_first(request, metadata)
    metadata = {key: value for key, value in metadata.items() if key not in written or _is_readable(key, value)}
    try:
        read = coerce_metadata(metadata).metadata
    except MetadataDecodeError:
        # A write to the status keeps the stored metadata, whatever became of the object's.
        if release().reads_metadata_again and request.subresource != "status" and (why := why_not_in_struct(metadata)):
            namespace = metadata.get("namespace")
            if isinstance(namespace, str) and (refusal := _namespace_refusal({"namespace": namespace}, request, definition)) is not None:
                return refusal
            fault = FieldError(ErrorType.INVALID, "metadata", metadata, why)
            faults = [*_faults_of_readable(obj, metadata, request, definition), fault]
            return invalid(definition.gvk.kind, definition.gvk.group, _name_of(metadata), faults)
        read = coerce_metadata(metadata, drop_malformed=True).metadata
    obj["metadata"] = read
    return _namespace_refusal(read, request, definition)


def _written_first(request: Request, metadata: JSONObject) -> frozenset[str]:
    """The fields that the server overwrites before it reads the metadata. An update restores only what the old object has."""
    if request.operation is Operation.CREATE:
        return _WRITTEN | ({"name"} if _text_in(metadata, "generateName") else set())
    old = metadata_of(request.old_object)
    return _WRITTEN | {key for key in ("deletionTimestamp", "deletionGracePeriodSeconds") if old.get(key) is not None}


def _faults_of_readable(obj: JSONObject, metadata: JSONObject, request: Request, definition: ResourceDefinition) -> list[FieldError]:
    """The errors of an update's metadata apart from its unreadable fields; the server finds these errors first."""
    if request.operation is not Operation.UPDATE or not isinstance(request.old_object, dict):
        return []
    try:
        old = read_stored(request.old_object, definition)
    except EmbeddedResourceError:
        return []
    changed = {**obj, "metadata": coerce_metadata(metadata, drop_malformed=True).metadata}
    prepare_for_update(changed, old, definition)
    return validate_common(changed, old, definition)


def _name_of(metadata: JSONObject) -> str:
    base = _text_in(metadata, "generateName")
    return _text_in(metadata, "name") or (generated_name(base) if base else "")


def _text_in(metadata: JSONObject, key: str) -> str:
    value = metadata.get(key)
    return value if isinstance(value, str) else ""


def _namespace_refusal(metadata: JSONObject, request: Request, definition: ResourceDefinition) -> Refusal | None:
    try:
        _settle_namespace(metadata, request, definition)
    except _Refused as refused:
        return refused.refusal
    return None


def _is_readable(key: str, value: JSONValue) -> bool:
    try:
        coerce_metadata({key: value})
    except MetadataDecodeError:
        return False
    return True


def why_not_converted(obj: JSONObject, definition: ResourceDefinition) -> str:
    """Why a changed object can't be converted into the stored version because of its metadata; empty if it can.

    A server that reads metadata again finds that earlier.
    Source: apiextensions-apiserver v1.36 pkg/apiserver/customresource_handler.go, `schemaCoercingConverter`.
    """
    if release().reads_metadata_again or definition.storage is definition:
        return ""
    try:
        coerce_metadata(obj.get("metadata", {}))
    except MetadataDecodeError as error:
        return str(error)
    return ""


def _unmet_version(metadata: JSONValue, request: Request, old: JSONObject, definition: ResourceDefinition) -> Refusal | None:
    """The refusal of an update whose object lost its resourceVersion or has another one."""
    version = metadata.get("resourceVersion") if isinstance(metadata, dict) else None
    named = {"name": request.name, "resourceVersion": version if isinstance(version, str) else ""}
    return unmet_precondition({"metadata": named}, {"metadata": metadata_of(old)}, definition)


def redefault(obj: JSONObject, definition: ResourceDefinition) -> None:
    """Fill in the schema's defaults again, in place, as the server does after a mutating webhook; nothing is pruned then."""
    definition.schema.default(obj)


def read_stored(stored: JSONObject, definition: ResourceDefinition) -> JSONObject:
    """A copy of a stored object as the server reads it for a request of this version: fitted to the schema and defaulted.

    The defaults are those of the stored version; a conversion to another one fills in nothing. Metadata of a wrong type, which only an old
    server or an older CRD can have stored, is dropped. Raises EmbeddedResourceError if an embedded object's metadata isn't a map: such an
    object can't be read.
    """
    obj: JSONObject = stored_numbers(stored)
    metadata = coerce_metadata(metadata_of(obj), drop_malformed=True).metadata
    metadata.setdefault("generation", 1)
    storage = definition.storage
    if storage is not None and (storage is definition or obj.get("apiVersion") == storage.gvk.api_version):
        _refit(obj, storage)
        storage.schema.default(obj)
    obj |= {"apiVersion": definition.gvk.api_version, "kind": definition.gvk.kind}
    if storage is not definition:
        _refit(obj, definition)
    definition.embedded.coerce(obj)
    obj["metadata"] = metadata
    return obj


def as_stored(obj: JSONObject, definition: ResourceDefinition) -> JSONObject:
    """`obj` after it was stored, in the storage version, and read back.

    Reading fills in defaults again, so that a dropped status may come back as its default. If a webhook converts between the versions, the
    result isn't known, and this version is assumed to be the stored one.
    """
    kept: JSONObject = stored_numbers(obj)
    storage = definition.storage
    metadata = kept["metadata"]
    if storage is definition or storage is None:
        _refit(kept, definition)
        kept["metadata"] = metadata
        definition.schema.default(kept)
        # These defaults may be within the metadata of embedded objects, which is decoded again when it is read.
        definition.embedded.coerce(kept, drop_invalid=True)
        return kept
    _refit(kept, storage)
    storage.schema.default(kept)
    _refit(kept, definition)
    kept["metadata"] = metadata
    return kept


def _refit(obj: JSONObject, definition: ResourceDefinition) -> None:
    """Fit an object to a schema, without reports."""
    if not definition.preserve_unknown_fields:
        definition.schema.prune(obj)
        definition.schema.drop_nulls(obj)
    definition.embedded.coerce(obj, drop_invalid=True)
