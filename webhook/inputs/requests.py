"""Builds the request that applying a manifest would send, for `lint` and `dry-run`.

Such a request never fails because of a precondition. An apply sends none, kubectl puts the version that it has just read into a PUT, and
the server's fields in an export aren't the author's. A recorded review is judged as it is. Source: kubectl 1.36, pkg/cmd/{apply,replace}.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.built_in import is_cluster_scoped
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.objects import (
    FieldValidation,
    GroupVersionKind,
    GroupVersionResource,
    JSONObject,
    JSONValue,
    Operation,
    is_stored,
    metadata_of,
    name_of,
    namespace_of,
)
from weighbridge.policies.ground.request import Request

#: Fields by which a server checks whether a request is for the stored object and version, or that say something about a deletion, with
#: their types.
_CONDITIONS: Final[dict[str, type]] = {"deletionGracePeriodSeconds": int, "deletionTimestamp": str, "resourceVersion": str}
_SENT_WITH_AN_UPDATE: Final = frozenset({"resourceVersion", "uid"})


def is_namespaced(gvk: GroupVersionKind, definitions: Definitions) -> bool:
    """Whether objects of a kind have a namespace; an unknown kind counts as namespaced."""
    definition = definitions.get(gvk)
    if definition is not None:
        return definition.namespaced
    return not is_cluster_scoped(gvk)


def stored_before(obj: JSONObject, facts: Facts, namespace: str) -> JSONValue:
    """The cluster's object that applying a manifest would update, or `None`; `namespace` is used if the manifest names none."""
    gvk = GroupVersionKind.from_object(obj)
    if gvk is None or not facts.replaced.number_of(gvk.group, gvk.kind):
        return None
    where = (namespace_of(obj) or namespace) if is_namespaced(gvk, facts.definitions) else ""
    return facts.replaced.get(gvk.group, gvk.kind, where, name_of(obj))


def request_of(
    obj: JSONObject,
    definitions: Definitions,
    *,
    uid: str,
    namespace: str,
    operation: Operation = Operation.CREATE,
    old: JSONValue = None,
    field_validation: FieldValidation = FieldValidation.STRICT,
) -> Request:
    """The request for a manifest; `namespace` is used if it names none, `old` is the stored object of an update."""
    old = old if operation is Operation.UPDATE else None
    gvk = GroupVersionKind.from_object(obj) or GroupVersionKind("", "", "")
    definition = definitions.get(gvk)
    has_namespace = definition.namespaced if definition is not None else not is_cluster_scoped(gvk)
    deletion = operation is Operation.DELETE
    return Request(
        uid=uid,
        operation=operation,
        gvk=gvk,
        object=None if deletion else _as_sent(obj, old, definition),
        old_object=obj if deletion else old,
        resource=GroupVersionResource(gvk.group, gvk.version, definition.plural) if definition else None,
        namespace=(namespace_of(obj) or namespace) if has_namespace else "",
        name=name_of(obj),
        field_validation=field_validation,
    )


def _as_sent(obj: JSONObject, old: JSONValue, definition: ResourceDefinition | None) -> JSONObject:
    """The manifest without preconditions, and for an update with the fields that kubectl adds from the stored object."""
    if not isinstance(obj.get("metadata"), dict):
        return obj
    # A value of a wrong type is kept and will be refused: no server wrote it.
    written = {key: value for key, value in obj["metadata"].items() if not isinstance(value, _CONDITIONS.get(key, ()))}
    sent = {**obj, "metadata": {**written, **{key: value for key, value in metadata_of(old).items() if key in _SENT_WITH_AN_UPDATE}}}
    if is_stored(obj) and definition is not None and definition.status_subresource:
        sent.pop("status", None)
    return sent
