"""Cases about everything in a definition except its schemas."""

from __future__ import annotations

from typing import Final

from tests.acceptance.definitions import DROP, edited, of_spec, one_version, two_versions, with_root
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_SCALE: Final = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
_COLUMN: Final = {"name": "A", "type": "string", "jsonPath": ".spec.x"}
_CLIENT: Final = "/spec/conversion/webhook/clientConfig"
_SERVICE: Final = {"namespace": "n", "name": "s"}
_WEBHOOK: Final = {
    "strategy": "Webhook",
    "webhook": {"clientConfig": {"service": _SERVICE}, "conversionReviewVersions": ["v1"]},
}
_PROTECTED: Final = {"/spec/group": "weighbridge.k8s.io", "/metadata/name": "things.weighbridge.k8s.io"}
_APPROVED: Final = "/metadata/annotations"
_FIELDS: Final = {f"f{number}": {"type": "string"} for number in range(9)}
_MANY_FIELDS: Final = {"type": "object", "properties": {"spec": {"type": "object", "properties": _FIELDS}}}
_OTHER_SCHEMA: Final = {"openAPIV3Schema": of_spec({"type": "integer"})}

#: Changes to a definition of one version.
EDITS: Final[dict[str, dict[str, JSONValue]]] = {
    "nothing": {},
    "name-of-others": {"/metadata/name": "other.weighbridge.test"},
    "name-missing": {"/metadata/name": DROP},
    "name-invalid": {"/metadata/name": "Things_x"},
    "metadata-missing": {"/metadata": DROP},
    "generate-name": {"/metadata": {"name": "things.weighbridge.test", "generateName": "A_b"}},
    "namespace": {"/metadata/namespace": "x"},
    "labels": {"/metadata/labels": {"a b": "c d"}, "/metadata/annotations": {"x": "y"}},
    "finalizers": {"/metadata/finalizers": ["x", "y.z", "a b"]},
    "plain-finalizer": {"/metadata/finalizers": ["plain"]},
    "system-metadata": {"/metadata/uid": "x", "/metadata/generation": -7, "/metadata/creationTimestamp": "2020-01-01T00:00:00Z"},
    "no-kind": {"/kind": DROP, "/apiVersion": DROP},
    "null-kind": {"/kind": None, "/apiVersion": None},
    "no-spec": {"/spec": DROP},
    "empty-spec": {"/spec": {}},
    "null-spec": {"/spec": None},
    "no-group": {"/spec/group": DROP},
    "group-without-dot": {"/spec/group": "things", "/metadata/name": "things.things"},
    "group-invalid": {"/spec/group": "A_b.c"},
    "group-too-long": {"/spec/group": "a" * 260 + ".b"},
    "no-scope": {"/spec/scope": DROP},
    "other-scope": {"/spec/scope": "Everywhere"},
    "cluster-scope": {"/spec/scope": "Cluster"},
    "names-missing": {"/spec/names": DROP},
    "names-empty": {"/spec/names": {}},
    "names-all": {
        "/spec/names": {
            "plural": "things",
            "singular": "th",
            "kind": "Thing",
            "listKind": "Things",
            "shortNames": ["t"],
            "categories": ["all"],
        }
    },
    "names-invalid": {
        "/spec/names": {
            "plural": "Things",
            "singular": "1",
            "kind": "Th_ing",
            "listKind": "-",
            "shortNames": ["T", "ok"],
            "categories": ["A"],
        }
    },
    "list-kind-is-kind": {"/spec/names/listKind": "Thing"},
    "kind-with-dotted-i": {"/spec/names/kind": "İthing"},
    "kind-too-long": {"/spec/names/kind": "T" * 64},
    "short-names-null": {"/spec/names/shortNames": [None]},
    "preserve-unknown": {"/spec/preserveUnknownFields": True},
    "preserve-unknown-false": {"/spec/preserveUnknownFields": False},
    "no-versions": {"/spec/versions": DROP},
    "empty-versions": {"/spec/versions": []},
    "null-version": {"/spec/versions": [None]},
    "version-name-invalid": {"/spec/versions/0/name": "V_1"},
    "version-name-missing": {"/spec/versions/0/name": DROP},
    "no-storage": {"/spec/versions/0/storage": False},
    "storage-missing": {"/spec/versions/0/storage": DROP},
    "not-served": {"/spec/versions/0/served": False},
    "no-schema": {"/spec/versions/0/schema": DROP},
    "empty-schema": {"/spec/versions/0/schema": {}},
    "null-open-api": {"/spec/versions/0/schema": {"openAPIV3Schema": None}},
    "deprecated": {"/spec/versions/0/deprecated": True},
    "deprecated-with-text": {"/spec/versions/0/deprecated": True, "/spec/versions/0/deprecationWarning": "use v2"},
    "deprecation-of-none": {"/spec/versions/0/deprecationWarning": "use <v2>"},
    "deprecation-empty": {"/spec/versions/0/deprecated": True, "/spec/versions/0/deprecationWarning": ""},
    "deprecation-long": {"/spec/versions/0/deprecated": True, "/spec/versions/0/deprecationWarning": "ä" * 129},
    "deprecation-unprintable": {"/spec/versions/0/deprecated": True, "/spec/versions/0/deprecationWarning": "äa\tb"},
    "status": {"/spec/versions/0/subresources": {"status": {}}},
    "status-null": {"/spec/versions/0/subresources": {"status": None}},
    "subresources-empty": {"/spec/versions/0/subresources": {}},
    "scale": {"/spec/versions/0/subresources": {"scale": _SCALE, "status": {}}},
    "scale-empty": {"/spec/versions/0/subresources": {"scale": {}}},
    "scale-elsewhere": {"/spec/versions/0/subresources": {"scale": {"specReplicasPath": ".status.x", "statusReplicasPath": ".spec.x"}}},
    "scale-no-paths": {"/spec/versions/0/subresources": {"scale": {"specReplicasPath": "spec.x", "statusReplicasPath": "."}}},
    "scale-selector": {"/spec/versions/0/subresources": {"scale": _SCALE | {"labelSelectorPath": ".metadata.x"}}},
    "scale-selector-no-path": {"/spec/versions/0/subresources": {"scale": _SCALE | {"labelSelectorPath": "x"}}},
    "scale-selector-empty": {"/spec/versions/0/subresources": {"scale": _SCALE | {"labelSelectorPath": ""}}},
    "scale-selector-good": {"/spec/versions/0/subresources": {"scale": _SCALE | {"labelSelectorPath": ".status.selector"}}},
    "columns": {"/spec/versions/0/additionalPrinterColumns": [_COLUMN | {"format": "date", "priority": 1, "description": "d"}]},
    "columns-empty": {"/spec/versions/0/additionalPrinterColumns": []},
    "column-empty": {"/spec/versions/0/additionalPrinterColumns": [{}]},
    "column-wrong": {"/spec/versions/0/additionalPrinterColumns": [{"name": "A", "type": "x", "format": "y", "jsonPath": "z"}]},
    "column-root": {"/spec/versions/0/additionalPrinterColumns": [_COLUMN | {"jsonPath": "."}]},
    "selectable": {"/spec/versions/0/selectableFields": [{"jsonPath": ".spec.x"}]},
    "selectable-empty": {"/spec/versions/0/selectableFields": [{}]},
    "selectable-twice": {"/spec/versions/0/selectableFields": [{"jsonPath": ".spec.x"}, {"jsonPath": ".spec.x"}]},
    "selectable-nowhere": {"/spec/versions/0/selectableFields": [{"jsonPath": ".spec.y"}, {"jsonPath": "spec"}, {"jsonPath": "."}]},
    "selectable-object": {"/spec/versions/0/selectableFields": [{"jsonPath": ".spec"}]},
    "selectable-brackets": {"/spec/versions/0/selectableFields": [{"jsonPath": ".spec['x']"}]},
    "selectable-status-and-null": {"/status": None, "/spec/versions/0/selectableFields": []},
    "conversion-none": {"/spec/conversion": {"strategy": "None"}},
    "conversion-empty": {"/spec/conversion": {}},
    "conversion-other": {"/spec/conversion": {"strategy": "Magic"}},
    "conversion-none-with-webhook": {"/spec/conversion": _WEBHOOK | {"strategy": "None"}},
    "conversion-webhook-empty": {"/spec/conversion": {"strategy": "None", "webhook": {}}},
    "conversion-webhook": {"/spec/conversion": _WEBHOOK},
    "conversion-without-client": {"/spec/conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"]}}},
    "conversion-without-webhook": {"/spec/conversion": {"strategy": "Webhook"}},
    "conversion-versions-missing": {"/spec/conversion": _WEBHOOK, "/spec/conversion/webhook/conversionReviewVersions": DROP},
    "conversion-versions": {"/spec/conversion": _WEBHOOK, "/spec/conversion/webhook/conversionReviewVersions": ["v2", "v2", "V_3"]},
    "conversion-versions-beta": {"/spec/conversion": _WEBHOOK, "/spec/conversion/webhook/conversionReviewVersions": ["v1beta1", "v9"]},
    "conversion-both": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/url": "https://a.b"},
    "conversion-neither": {"/spec/conversion": _WEBHOOK, _CLIENT: {}},
    "conversion-service-empty": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/service": {}},
    "conversion-service-name": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/service": {"name": "x"}},
    "conversion-service-port": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/service/port": 0},
    "conversion-service-path": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/service/path": "/a//B_/c"},
    "conversion-service-path-bare": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/service/path": "ab/c/"},
    "conversion-service-path-slashes": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/service/path": "//"},
    "conversion-url": {"/spec/conversion": _WEBHOOK, _CLIENT: {"url": "https://a.b/c"}},
    "conversion-url-http": {"/spec/conversion": _WEBHOOK, _CLIENT: {"url": "http://u:p@a.b/c?d=e#f"}},
    "conversion-url-broken": {"/spec/conversion": _WEBHOOK, _CLIENT: {"url": "https://a b/%zz"}},
    "conversion-url-empty": {"/spec/conversion": _WEBHOOK, _CLIENT: {"url": ""}},
    "ca-bundle": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/caBundle": "bm9uc2Vuc2U="},
    "ca-bundle-no-base64": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/caBundle": "no base64!"},
    "protected-group": _PROTECTED,
    "protected-group-empty": _PROTECTED | {_APPROVED: {"api-approved.kubernetes.io": ""}},
    "protected-group-wrong": _PROTECTED | {_APPROVED: {"api-approved.kubernetes.io": "yes"}},
    "protected-group-path": _PROTECTED | {_APPROVED: {"api-approved.kubernetes.io": "/a/b"}},
    "protected-group-url": _PROTECTED | {_APPROVED: {"api-approved.kubernetes.io": "https://a.b/c"}},
    "protected-group-unapproved": _PROTECTED | {_APPROVED: {"api-approved.kubernetes.io": "unapproved, so what"}},
    "status-is-dropped": {"/status": {"storedVersions": ["v9"], "acceptedNames": {"plural": "Nonsense"}, "conditions": []}},
}

#: Bodies that can't be decoded, or only in part.
UNFIT: Final[dict[str, dict[str, JSONValue]]] = {
    "unknown-fields": {"/zz": 1, "/metadata/zz": 1, "/spec/zz": None, "/spec/names/zz": 1, "/spec/versions/0/zz": {"a": 1}},
    "unknown-keyword": {"/spec/versions/0/schema/openAPIV3Schema/properties/spec/foo": 1},
    "unknown-keyword-quoted": {'/spec/versions/0/schema/openAPIV3Schema/properties/a"b': {"type": "string", "foo": 1}},
    "unknown-in-items": {
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x": {"type": "array", "items": {"type": "string", "foo": 1}}
    },
    "unknown-in-values": {
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x": {
            "type": "object",
            "additionalProperties": {"type": "string", "foo": 1},
        }
    },
    "many-unknown": {f"/spec/unknown{number}": 1 for number in range(120)},
    "case-matters": {"/spec/Group": "x", "/Spec": {}},
    "spec-no-map": {"/spec": "x"},
    "metadata-no-map": {"/metadata": [1]},
    "versions-no-list": {"/spec/versions": {}},
    "version-no-map": {"/spec/versions/0": 3},
    "group-no-text": {"/spec/group": 3},
    "scope-no-text": {"/spec/scope": True},
    "served-no-flag": {"/spec/versions/0/served": "yes"},
    "two-wrong-types": {"/spec/group": 3, "/spec/scope": 4},
    "labels-no-text": {"/metadata/labels": {"a": 1}},
    "time-no-text": {"/metadata/creationTimestamp": 3},
    "time-no-time": {"/metadata/creationTimestamp": "yesterday"},
    "kind-no-text": {"/kind": 1},
    "status-wrong": {"/status": {"storedVersions": "v1"}},
    "condition-time": {"/status": {"conditions": [{"lastTransitionTime": 1}]}},
    "port-too-large": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/service/port": 2**31},
    "port-float": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/service/port": 1.5},
    "ca-bundle-number": {"/spec/conversion": _WEBHOOK, f"{_CLIENT}/caBundle": 3},
    "strategy-number": {"/spec/conversion": {"strategy": 3}},
    "columns-no-list": {"/spec/versions/0/additionalPrinterColumns": "x"},
    "priority-text": {"/spec/versions/0/additionalPrinterColumns": [{"priority": "1"}]},
    "subresources-no-map": {"/spec/versions/0/subresources": {"status": 1}},
}

#: Definitions of two versions, and others that aren't made by changing one.
WHOLE: Final[dict[str, JSONObject]] = {
    "alike": two_versions({}, {}),
    "schemas-differ": two_versions({}, {"schema": _OTHER_SCHEMA}),
    "second-without-schema": two_versions({}, {"schema": None}),
    "both-without-schema": two_versions({"schema": None}, {"schema": None}),
    "status-in-one": two_versions({"subresources": {"status": {}}}, {}),
    "columns-in-one": two_versions({"additionalPrinterColumns": [_COLUMN]}, {}),
    "columns-in-both": two_versions({"additionalPrinterColumns": [_COLUMN]}, {"additionalPrinterColumns": [_COLUMN]}),
    "broken-columns-in-one": two_versions({"additionalPrinterColumns": [{}]}, {}),
    "scale-in-one": two_versions({"subresources": {"scale": {}}}, {"subresources": {"status": {}}}),
    "selectable-in-one": two_versions({"selectableFields": [{"jsonPath": ".spec.y"}]}, {}),
    "selectable-with-two-schemas": two_versions(
        {"selectableFields": [{"jsonPath": ".spec"}]}, {"schema": _OTHER_SCHEMA, "selectableFields": [{"jsonPath": ".metadata.name"}]}
    ),
    "same-name": two_versions({}, {"name": "v1"}),
    "same-name-and-schemas": two_versions({}, {"name": "v1", "schema": _OTHER_SCHEMA}),
    "both-stored": two_versions({}, {"storage": True}),
    "both-stored-all-parts": two_versions(
        {"additionalPrinterColumns": [_COLUMN], "subresources": {"scale": _SCALE}},
        {
            "storage": True,
            "schema": _OTHER_SCHEMA,
            "deprecated": True,
            "deprecationWarning": "x",
            "selectableFields": [{"jsonPath": ".spec.x"}],
        },
    ),
    "root-says-more-with-status": with_root(of_spec({"type": "string"}) | {"nullable": True}, subresources={"status": {}}),
    "root-no-object-with-status": with_root({"type": "string"}, subresources={"status": {}}),
    "root-any-of-with-status": with_root(
        {"type": "object", "anyOf": [{"required": ["spec"]}], "minProperties": 1}, subresources={"status": {}}
    ),
    "root-id-with-status": with_root({"type": "string", "id": "x"}, subresources={"status": {}}),
    "nine-selectable": with_root(_MANY_FIELDS, selectableFields=[{"jsonPath": f".spec.f{number}"} for number in range(9)]),
    "selectable-map": with_root(
        of_spec({"type": "object", "additionalProperties": {"type": "string"}}), selectableFields=[{"jsonPath": ".spec.x.any"}]
    ),
    "selectable-metadata": with_root(
        {"type": "object", "properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string"}}}}},
        selectableFields=[{"jsonPath": ".metadata.name"}],
    ),
}


def definitions() -> dict[str, JSONObject]:
    """All of the cases, by name."""
    found = {f"edit-{name}": edited(one_version(), edits) for name, edits in EDITS.items()}
    found |= {f"unfit-{name}": edited(one_version(), edits) for name, edits in UNFIT.items()}
    return found | {f"whole-{name}": crd for name, crd in WHOLE.items()}
