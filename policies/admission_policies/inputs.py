"""The values that the expressions of policies see.

Empty fields of the request are missing, and so are the fields of a missing object. Source: k8s.io/apiserver
pkg/admission/plugin/cel/{activation,condition}.go and k8s.io/api/admission/v1/types.go, 1.37.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.admission_policies import wordings
from weighbridge.policies.admission_policies.attributes import Attributes
from weighbridge.policies.admission_policies.matching import Matched
from weighbridge.policies.cel.library.authz import AuthorizerValue, Decision, Question, ResourceCheck
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import JSON_TYPE, TYPED_JSON
from weighbridge.policies.cel.values.values import NotKnown, NotKnownError, Value
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.selectors import NAMESPACE_NAME
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource, JSONObject, JSONValue, metadata_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release

#: The fields of a namespace's metadata that expressions see.
_NAMESPACE_METADATA: Final = (
    "name", "generateName", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
    "deletionGracePeriodSeconds", "labels", "annotations", "finalizers",
)  # fmt: skip
_STORED_NAMESPACE: Final = ("uid", "resourceVersion", "creationTimestamp")
_USER: Final = ("username", "uid", "groups", "extra")


class UnknownAuthorizer:
    """The cluster's authorizer, whose answers aren't known offline."""

    def authorize(self, question: Question) -> Decision:
        """Raise NotKnownError: only the cluster knows the answer."""
        raise NotKnownError(wordings.AUTHORIZATION)


def versioned(obj: JSONValue, attributes: Attributes, matched: Matched, facts: Facts) -> JSONValue:
    """An object in the version that the policy matched. Raises NotKnownError if more than its apiVersion differs."""
    if not isinstance(obj, dict) or matched.kind == attributes.kind:
        return obj
    definition = facts.definitions.get(attributes.kind)
    if definition is None or definition.is_converted_by_webhook:
        raise NotKnownError(wordings.converted_object(matched.kind.api_version))
    return {**obj, "apiVersion": matched.kind.api_version, "kind": matched.kind.kind}


def request_value(attributes: Attributes, matched: Matched) -> JSONObject:
    """The variable `request`.

    `matched` is the resource and kind that the policy matched; match conditions see the requested resource.
    """
    texts = {
        "subResource": attributes.subresource,
        "requestSubResource": attributes.subresource,
        "namespace": attributes.namespace,
    }
    user, options = attributes.user_info, attributes.options
    name: JSONValue = attributes.name if attributes.is_named else NotKnown(wordings.GENERATED_NAME)
    return {
        "uid": "",
        "kind": _kind(matched.kind),
        "resource": _resource(matched.resource),
        "requestKind": _kind(attributes.kind),
        "requestResource": _resource(attributes.resource),
        **{key: text for key, text in texts.items() if text},
        **({"name": name} if name else {}),
        "operation": str(attributes.operation),
        "userInfo": NotKnown(wordings.USER) if user is None else {key: user[key] for key in _USER if user.get(key)},
        "dryRun": attributes.dry_run,
        "options": NotKnown(wordings.OPTIONS) if options is None else options,
    }


def _kind(kind: GroupVersionKind) -> JSONObject:
    return {"group": kind.group, "version": kind.version, "kind": kind.kind}


def _resource(resource: GroupVersionResource) -> JSONObject:
    return {"group": resource.group, "version": resource.version, "resource": resource.resource}


def namespace_value(attributes: Attributes, facts: Facts) -> JSONValue:
    """The variable `namespaceObject`: null for objects without a namespace, and for namespaces themselves."""
    name = "" if attributes.is_namespace else attributes.namespace
    if not name:
        return None
    found = facts.objects.get("", "Namespace", "", name)
    if not isinstance(found, dict):
        return NotKnown(wordings.namespace(name))
    metadata = metadata_of(found)
    seen = {key: metadata[key] for key in _NAMESPACE_METADATA if metadata.get(key)}
    seen["labels"] = {**text_map(metadata, "labels"), NAMESPACE_NAME: name}
    if any(key not in metadata for key in _STORED_NAMESPACE):
        # A snapshot has only the labels, and a namespace that isn't stored yet lacks what the server writes.
        rest = [key for key in _NAMESPACE_METADATA if key not in {"name", "labels", "namespace", "generateName"}]
        seen |= {key: NotKnown(wordings.part_of_namespace(f"metadata.{key}", name)) for key in rest if key not in seen}
    value: JSONObject = {"metadata": seen}
    for key in ("spec", "status"):
        value[key] = found[key] if isinstance(found.get(key), dict) else NotKnown(wordings.part_of_namespace(key, name))
    return value


@dataclass(frozen=True, slots=True)
class Inputs:
    """The values of the variables of one evaluation, by their names; `NotKnown` for those that aren't known."""

    values: dict[str, Value]

    def of_conditions(self, attributes: Attributes, matched: Matched) -> Inputs:
        """These inputs as match conditions see them: without the namespace, and with the requested resource."""
        request = request_value(attributes, Matched(attributes.resource, matched.kind))
        return Inputs({**self.values, "namespaceObject": None, "request": json_value(request, typed=True)})


def inputs_of(attributes: Attributes, matched: Matched, params: JSONValue, param_kind: GroupVersionKind | None, facts: Facts) -> Inputs:
    """The inputs for a request that matches as `matched`, with one of the binding's parameters."""
    authorizer = UnknownAuthorizer()
    is_typed = facts.definitions.get(attributes.kind) is None
    resource = attributes.resource
    question = Question(
        "", group=resource.group, resource=resource.resource, subresource=attributes.subresource, namespace=attributes.namespace,
        name=attributes.name,
    )  # fmt: skip
    return Inputs({
        "object": json_value(versioned(attributes.object, attributes, matched, facts), typed=is_typed),
        "oldObject": json_value(versioned(attributes.old_object, attributes, matched, facts), typed=is_typed),
        "params": json_value(params, typed=param_kind is not None and facts.definitions.get(param_kind) is None),
        "request": json_value(request_value(attributes, matched), typed=True),
        "namespaceObject": json_value(namespace_value(attributes, facts), typed=True),
        "authorizer": AuthorizerValue(authorizer),
        "authorizer.requestResource": ResourceCheck(authorizer, question),
    })  # fmt: skip


def json_value(raw: JSONValue, *, typed: bool) -> Value:
    """A piece of JSON as a value; marks for what isn't known remain. `typed` says that the server has a Go struct for it."""
    if raw.__class__ is NotKnown:
        return raw
    return read(raw, TYPED_JSON if typed and release().reads_structs else JSON_TYPE)
