"""Cases of updates: a stored definition, which may be one that only an older server accepted, and the changes to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tests.acceptance.definitions import DROP, a_version, edited, of_spec, one_version, two_versions, with_root, with_x
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_SCHEMA: Final = "/spec/versions/0/schema/openAPIV3Schema"
_X: Final = f"{_SCHEMA}/properties/spec/properties/x"
_DESCRIBED: Final[dict[str, JSONValue]] = {f"{_SCHEMA}/description": "changed"}
_TEXT: Final = {"type": "string"}
_RULES: Final = "x-kubernetes-validations"
_LIST_TYPE: Final = "x-kubernetes-list-type"
_KEYS: Final = "x-kubernetes-list-map-keys"
_WEBHOOK: Final = {
    "strategy": "Webhook",
    "webhook": {"clientConfig": {"service": {"namespace": "n", "name": "s", "port": 443}}, "conversionReviewVersions": ["v1"]},
}
_BUNDLE: Final = "/spec/conversion/webhook/clientConfig/caBundle"
_NONSENSE: Final = "bm9uc2Vuc2U="
_PEM_NONSENSE: Final = "LS0tLS1CRUdJTiBYLS0tLS0KYWJjZAotLS0tLUVORCBYLS0tLS0K"
_PROTECTED: Final = {"/spec/group": "weighbridge.k8s.io", "/metadata/name": "things.weighbridge.k8s.io"}
_APPROVAL: Final = "/metadata/annotations"


@dataclass(frozen=True, slots=True)
class Update:
    """One update; the stored definition is established unless `established` says otherwise."""

    stored: JSONObject
    edits: dict[str, JSONValue] = field(default_factory=dict)
    established: bool = True
    subresource: str = ""
    #: Whether the expected answer is that the update is about another object than the stored one.
    conflicts: bool = False

    def stored_form(self) -> JSONObject:
        """The definition as it is stored."""
        names = {"singular": "thing", "listKind": "ThingList"} | self.stored["spec"]["names"]
        stored = edited(self.stored, {"/spec/names": names})
        stored["metadata"] |= {"uid": "11111111-1111-1111-1111-111111111111", "generation": 1, "creationTimestamp": "2026-01-01T00:00:00Z"}
        stored["spec"].setdefault("conversion", {"strategy": "None"})
        conditions = [
            {"type": kind, "status": "True", "reason": "Test", "message": "m", "lastTransitionTime": "2026-01-01T00:00:00Z"}
            for kind in (["NamesAccepted", "Established"] if self.established else ["Terminating"])
        ]
        stored["status"] = {"conditions": conditions, "acceptedNames": names, "storedVersions": ["v1"]} | stored.get("status", {})
        return stored


def _list(items: JSONValue, **more: JSONValue) -> JSONObject:
    return {"type": "array", "items": items} | more


def _ruled(rule: str, **more: JSONValue) -> JSONObject:
    return with_x(_TEXT | {_RULES: [{"rule": rule} | more]})


_DEAR: Final = with_x(_list(_TEXT, **{_RULES: [{"rule": "self.all(a, self.all(b, a == b || a != b))"}]}))
_DEAR_MESSAGE: Final = with_x({"type": "integer", _RULES: [{"rule": "true", "messageExpression": "'x' + string(self)"}]})
_TWO: Final = two_versions({}, {"schema": {"openAPIV3Schema": of_spec({"type": "integer"})}})
_MANY: Final = with_root(
    {"type": "object", "properties": {"spec": {"type": "object", "properties": {f"f{n}": _TEXT for n in range(12)}}}},
    selectableFields=[{"jsonPath": f".spec.f{n}"} for n in range(10)],
)
_UNSOUND_KEYS: Final = _list({"type": "object", "properties": {"a": _TEXT}}, **{_LIST_TYPE: "map", _KEYS: ["a"]})
_LOOSE_SET: Final = _list({"type": "object", "properties": {"a": _TEXT}}, **{_LIST_TYPE: "set"})
_UNSTRUCTURAL: Final = with_x({}) | {}
_UNPRUNED: Final = with_x({"type": "object", "properties": {"a": _TEXT}, "default": {"b": 1}})

UPDATES: Final[dict[str, Update]] = {
    "nothing": Update(one_version()),
    "labels": Update(one_version(), {"/metadata/labels": {"a": "b"}}),
    "bad-labels": Update(one_version(), {"/metadata/labels": {"a b": "c"}}),
    "no-resource-version": Update(one_version(), {"/metadata/resourceVersion": DROP}),
    "old-resource-version": Update(one_version(), {"/metadata/resourceVersion": "1"}, conflicts=True),
    "bad-resource-version": Update(one_version(), {"/metadata/resourceVersion": "x"}),
    "another-uid": Update(one_version(), {"/metadata/uid": "x"}, conflicts=True),
    "generation": Update(one_version(), {"/metadata/generation": 77, "/metadata/creationTimestamp": None}),
    "description": Update(one_version(), _DESCRIBED),
    "empty-list": Update(one_version(), {f"{_SCHEMA}/required": []}),
    "finalizer": Update(one_version(), {"/metadata/finalizers": ["plain", "customresourcecleanup.apiextensions.k8s.io"]}),
    "scope": Update(one_version(), {"/spec/scope": "Cluster"}),
    "scope-unestablished": Update(one_version(), {"/spec/scope": "Cluster"}, established=False),
    "kind": Update(one_version(), {"/spec/names/kind": "Other"}),
    "kind-unestablished": Update(one_version(), {"/spec/names/kind": "Other"}, established=False),
    "plural": Update(one_version(), {"/spec/names/plural": "others"}),
    "group": Update(one_version(), {"/spec/group": "other.test"}),
    "names-dropped": Update(one_version(), {"/spec/names/singular": DROP, "/spec/names/listKind": DROP}),
    "invalid": Update(one_version(), {"/spec/names/singular": "A", "/spec/versions/0/name": "V"}),
    "version-renamed": Update(one_version(), {"/spec/versions/0/name": "v2"}),
    "version-added": Update(
        one_version(), {"/spec/versions/1": {"name": "v2", "served": True, "storage": False, "schema": {"openAPIV3Schema": of_spec(_TEXT)}}}
    ),
    "storage-moved": Update(_TWO, {"/spec/versions/0/storage": False, "/spec/versions/1/storage": True}),
    "storage-moved-and-old-gone": Update(_TWO, {"/spec/versions/1/storage": True, "/spec/versions/0": DROP}),
    "version-removed": Update(_TWO, {"/spec/versions/1": DROP}),
    "stored-versions-gone": Update(one_version() | {"status": {"storedVersions": ["v0", "v1", "v9"]}}, _DESCRIBED),
    "status-ignored": Update(one_version(), {"/status": {"storedVersions": ["v7"]}}),
    "preserve": Update(one_version(), {"/spec/preserveUnknownFields": True}),
    "preserved": Update(edited(one_version(), {"/spec/preserveUnknownFields": True}), _DESCRIBED),
    "preserved-with-default": Update(edited(one_version(), {"/spec/preserveUnknownFields": True}), {f"{_X}/default": "a"}),
    "preserved-webhook": Update(edited(one_version(), {"/spec/preserveUnknownFields": True, "/spec/conversion": _WEBHOOK}), _DESCRIBED),
    "preserved-schema-dropped": Update(edited(one_version(), {"/spec/preserveUnknownFields": True}), {"/spec/versions/0/schema": DROP}),
    "schemaless": Update(
        edited(one_version(), {"/spec/versions/0/schema": DROP, "/spec/preserveUnknownFields": True}), {"/metadata/labels": {"a": "b"}}
    ),
    "schemaless-and-pruning": Update(edited(one_version(), {"/spec/versions/0/schema": DROP}), {"/metadata/labels": {"a": "b"}}),
    "schemaless-unserved": Update(
        edited(one_version(), {"/spec/versions/0/schema": DROP, "/spec/versions/0/served": False}), {"/metadata/labels": {"a": "b"}}
    ),
    "unstructural": Update(_UNSTRUCTURAL, _DESCRIBED),
    "unstructural-preserved": Update(edited(_UNSTRUCTURAL, {"/spec/preserveUnknownFields": True}), _DESCRIBED),
    "unstructural-preserved-extension": Update(
        edited(_UNSTRUCTURAL, {"/spec/preserveUnknownFields": True}),
        {f"{_X}/x-kubernetes-int-or-string": True, f"{_SCHEMA}/properties/y": {}},
    ),
    "wrong-type": Update(with_x({"type": "bogus"}), _DESCRIBED),
    "wrong-type-another": Update(with_x({"type": "bogus"}), {f"{_SCHEMA}/properties/y": {"type": "x"}}),
    "wrong-type-new": Update(one_version(), {f"{_X}/type": "bogus"}),
    "unpruned-default": Update(_UNPRUNED, {f"{_SCHEMA}/properties/y": {"type": "object", "default": {"c": 1}}}),
    "unpruned-default-new": Update(one_version(), {_X: {"type": "object", "default": {"c": 1}}}),
    "invalid-default-stays": Update(with_x(_TEXT | {"default": 1}), _DESCRIBED),
    "loose-set": Update(with_x(_LOOSE_SET), {f"{_SCHEMA}/properties/y": _LOOSE_SET}),
    "loose-set-new": Update(one_version(), {f"{_SCHEMA}/properties/y": _LOOSE_SET}),
    "unsound-keys": Update(with_x(_UNSOUND_KEYS), {f"{_SCHEMA}/properties/y": _UNSOUND_KEYS}),
    "unsound-keys-new": Update(one_version(), {f"{_SCHEMA}/properties/y": _UNSOUND_KEYS}),
    "dear-rule-unchanged": Update(_DEAR, {"/metadata/labels": {"a": "b"}}),
    "dear-rule-changed": Update(_DEAR, _DESCRIBED),
    "dear-message-unchanged": Update(_DEAR_MESSAGE, {"/metadata/labels": {"a": "b"}}),
    "dear-message-changed": Update(_DEAR_MESSAGE, _DESCRIBED),
    "dear-rule-in-another-version-alike": Update(
        _DEAR, {"/spec/versions/1": a_version("v2", schema=_DEAR["spec"]["versions"][0]["schema"])}
    ),
    "dear-rule-in-one-version": Update(edited(_TWO, {"/spec/versions/1/schema": _DEAR["spec"]["versions"][0]["schema"]}), _DESCRIBED),
    "broken-rule": Update(_ruled("self.foo"), _DESCRIBED),
    "broken-rule-new": Update(one_version(), {f"{_X}/{_RULES}": [{"rule": "self.foo"}]}),
    "rule-with-old": Update(one_version(), {f"{_X}/{_RULES}": [{"rule": "self == oldSelf"}]}),
    "format": Update(with_x(_TEXT | {"format": "cron"}), {f"{_SCHEMA}/properties/y": _TEXT | {"format": "cron"}}),
    "format-new": Update(with_x(_TEXT | {"format": "cron"}), {f"{_SCHEMA}/properties/y": _TEXT | {"format": "odd"}}),
    "many-selectable": Update(_MANY, _DESCRIBED),
    "many-selectable-more": Update(_MANY, {"/spec/versions/0/selectableFields/10": {"jsonPath": ".spec.f11"}}),
    "review-versions": Update(
        edited(one_version(), {"/spec/conversion": _WEBHOOK}), {"/spec/conversion/webhook/conversionReviewVersions": ["v9"]}
    ),
    "review-versions-before": Update(
        edited(one_version(), {"/spec/conversion": _WEBHOOK, "/spec/conversion/webhook/conversionReviewVersions": ["v9"]}),
        {"/spec/conversion/webhook/conversionReviewVersions": ["v8"]},
    ),
    "webhook": Update(one_version(), {"/spec/conversion": _WEBHOOK}),
    "empty-webhook": Update(one_version(), {"/spec/conversion": {"strategy": "None", "webhook": {}}}),
    "ca-bundle": Update(edited(one_version(), {"/spec/conversion": _WEBHOOK}), {_BUNDLE: _NONSENSE}),
    "ca-bundle-pem": Update(edited(one_version(), {"/spec/conversion": _WEBHOOK}), {_BUNDLE: _PEM_NONSENSE}),
    "ca-bundle-unestablished": Update(edited(one_version(), {"/spec/conversion": _WEBHOOK}), {_BUNDLE: _NONSENSE}, established=False),
    "ca-bundle-before": Update(edited(one_version(), {"/spec/conversion": _WEBHOOK, _BUNDLE: _NONSENSE}), {_BUNDLE: _PEM_NONSENSE}),
    "unapproved": Update(edited(one_version(), _PROTECTED), _DESCRIBED),
    "unapproved-to-wrong": Update(edited(one_version(), _PROTECTED), {_APPROVAL: {"api-approved.kubernetes.io": "x"}}),
    "approval-lost": Update(
        edited(one_version(), _PROTECTED | {_APPROVAL: {"api-approved.kubernetes.io": "https://a.b/c"}}), {_APPROVAL: DROP}
    ),
    "status": Update(one_version(), {"/status/storedVersions": ["v5"], "/spec/scope": "Cluster"}, subresource="status"),
    "status-names": Update(one_version(), {"/status/acceptedNames": {"plural": "A", "kind": "B_"}}, subresource="status"),
    "status-labels": Update(one_version(), {"/metadata/labels": {"a": "b"}, "/metadata/finalizers": ["a.b/c"]}, subresource="status"),
    "unfit": Update(one_version(), {"/spec/zz": 1}),
    "without-name": Update(one_version(), {"/metadata/generateName": "x"}),
}
