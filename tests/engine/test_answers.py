"""The answer to a request as a whole: its code, the value of duplicate keys, the defaults that are reported, and requests that aren't
judged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, GroupVersionResource, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide

GVK = GroupVersionKind("a.test", "v1", "Thing")
CRD_GVK = GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
OPEN: JSONObject = {"apiVersion": "b.test/v1", "kind": "Open", "metadata": {"name": "x"}}
DUPLICATES = (("spec", "a"), ("spec", "b", 0, "c"))
TEXTS = ['duplicate field "spec.a"', 'duplicate field "spec.b[0].c"']


def crd(**names: str) -> JSONObject:
    spec_schema: JSONObject = {
        "type": "object",
        "properties": {"size": {"type": "integer", "default": 3, "maximum": 5}, "name": {"type": "string"}},
    }
    schema = {"type": "object", "properties": {"spec": spec_schema, "status": {"type": "object"}}}
    version: JSONObject = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}},
    }
    named = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList", **names}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.a.test"},
        "spec": {"group": "a.test", "scope": "Namespaced", "names": named, "versions": [version]},
    }


def thing(**spec: Any) -> JSONObject:
    return {"apiVersion": "a.test/v1", "kind": "Thing", "metadata": {"name": "x", "namespace": "n"}, "spec": spec}


def request(obj: JSONObject, old: JSONObject | None = None, gvk: GroupVersionKind = GVK, **changed: Any) -> Request:
    operation = Operation.CREATE if old is None else Operation.UPDATE
    asked = Request("u", operation, gvk, obj, old, namespace="n", name="x", field_validation=FieldValidation.STRICT)
    return replace(asked, **changed)


def answer(asked: Request, phase: Phase = Phase.WHOLE, **more: Any) -> Decision:
    return decide(asked, Facts(Definitions.from_manifests([crd()])), DEFAULT, phase, **more)


def stored(**spec: Any) -> JSONObject:
    found = thing(**spec)
    return {**found, "metadata": {**found["metadata"], "uid": "1", "resourceVersion": "1", "generation": 1}}


def test_what_is_taken_is_created_or_updated() -> None:
    created = answer(request(thing(size=5)))
    assert (created.allowed, created.code, created.message, list(created.causes)) == (True, 201, "", [])
    updated = answer(request(stored(size=4), stored(size=5)))
    assert (updated.allowed, updated.code, updated.message) == (True, 200, "")
    deleted = answer(request(thing(), operation=Operation.DELETE))
    assert (deleted.allowed, deleted.code, list(deleted.findings)) == (True, 200, [])


def test_what_the_schema_forbids_is_refused_in_the_server_s_words() -> None:
    refused = answer(request(thing(size=6)))
    expected = 'Thing.a.test "x" is invalid: spec.size: Invalid value: 6: spec.size in body should be less than or equal to 5'
    assert (refused.allowed, refused.code, refused.message) == (False, 422, expected)
    assert [(finding.rule, finding.path) for finding in refused.findings] == [("K8S-003", ("spec", "size"))]


@pytest.mark.parametrize("phase", [Phase.WHOLE, Phase.APISERVER])
def test_the_defaults_of_the_schema_are_told_of_the_object_alone(phase: Phase) -> None:
    told = answer(request(thing(name="a")), phase)
    assert [(entry.path, entry.value, entry.source) for entry in told.provenance] == [(("spec", "size"), 3, "CRD")]
    assert told.object is not None
    assert told.object["spec"] == {"name": "a", "size": 3}
    assert list(answer(request(thing(size=1)), phase).provenance) == []
    resource = GroupVersionResource("a.test", "v1", "things")
    status = request(stored(name="a"), stored(name="a"), subresource="status", resource=resource)
    assert list(answer(status, phase).provenance) == []


@pytest.mark.parametrize(
    ("mode", "code", "warnings", "severity"),
    [
        (FieldValidation.STRICT, 400, [], Severity.ERROR),
        (FieldValidation.WARN, 201, TEXTS, Severity.WARNING),
        (FieldValidation.IGNORE, 201, [], Severity.NOTE),
    ],
)
def test_fields_that_stand_twice_weigh_what_field_validation_says(
    mode: FieldValidation, code: int, warnings: list[str], severity: Severity
) -> None:
    gvk = GroupVersionKind("b.test", "v1", "Open")
    told = answer(request(OPEN, gvk=gvk, field_validation=mode), duplicates=DUPLICATES)
    assert (told.allowed, told.code, list(told.warnings)) == (code == 201, code, warnings)
    assert [(finding.rule, finding.path, finding.severity) for finding in told.findings] == [
        ("K8S-002", path, severity) for path in DUPLICATES
    ]


def test_a_kind_that_is_not_known_is_told_of_or_refused() -> None:
    told = answer(request(OPEN, gvk=GroupVersionKind("b.test", "v1", "Open")))
    assert (told.allowed, told.code, told.skipped) == (True, 201, "")
    assert [(each.subject, each.reason) for each in told.unchecked] == [
        ("b.test/v1 Open", "no CustomResourceDefinition for this kind is known")
    ]
    old = answer(request({**thing(), "apiVersion": "a.test/v2"}, gvk=GroupVersionKind("a.test", "v2", "Thing")))
    assert (old.allowed, old.code, old.message) == (False, 404, 'no matches for kind "Thing" in version "a.test/v2"')
    assert [finding.rule for finding in old.findings] == ["K8S-008"]
    resource = GroupVersionResource("a.test", "v2", "things")
    named = answer(request({**thing(), "apiVersion": "a.test/v2"}, gvk=GroupVersionKind("a.test", "v2", "Thing"), resource=resource))
    assert (named.allowed, len(named.unchecked)) == (True, 1)
    built_in = answer(request({"apiVersion": "v1", "kind": "Service"}, gvk=GroupVersionKind("", "v1", "Service")))
    assert (built_in.allowed, built_in.skipped, list(built_in.unchecked)) == (True, "built-in kind", [])


def test_a_definition_is_judged_as_the_server_judges_it() -> None:
    assert answer(request(crd(), gvk=CRD_GVK, name="things.a.test", namespace="")).allowed
    refused = answer(request(crd(kind="not a kind"), gvk=CRD_GVK, name="things.a.test", namespace=""))
    assert (refused.allowed, refused.code) == (False, 422)
    assert ("spec", "names", "kind") in [finding.path for finding in refused.findings]
    assert answer(request(crd(kind="not a kind"), gvk=CRD_GVK, name="things.a.test", namespace=""), Phase.VALIDATE).allowed
