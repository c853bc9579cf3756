"""A real kube-apiserver and ours give the same answers: status, text, causes, warnings and object."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.apiserver.managed import IGNORED_ENTRIES, KEPT_ENTRIES, an_entry
from tests.apiserver.probe import a_probe, named, send
from tests.apiserver.server import PROBES, Server, ours, theirs
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue

pytestmark = pytest.mark.control_plane

_LATE = "time-beyond-9999"
ZERO_TIME = "0001-01-01T00:00:00Z"
OWNER = {"apiVersion": "v1", "kind": "A", "name": "n", "uid": "u"}

BODIES: dict[str, JSONValue] = {
    "good": a_probe(),
    "no-kind": a_probe(kind=...),
    "kind-no-string": a_probe(kind=1),
    "another-kind": a_probe(kind="Pod", zz=1),
    "another-kind-unknown-metadata": a_probe(kind="Pod", metadata={"name": "a", "zz": 1}),
    "no-api-version": a_probe(apiVersion=...),
    "null-api-version": a_probe(apiVersion=None),
    "empty-version": a_probe(apiVersion="weighbridge.test/"),
    "unserved-version": a_probe(apiVersion="weighbridge.test/v0", spec={"ancient": "x", "zz": 1}),
    "missing-version": a_probe(apiVersion="weighbridge.test/v9"),
    "another-group": a_probe(apiVersion="other/v1", zz=1),
    "a-list": [1, 2],
    "no-metadata": a_probe(metadata=...),
    "metadata-no-map": a_probe(metadata=42),
    "bad-time": named(name="a", creationTimestamp="2026-13-01T00:00:00Z"),
    "another-namespace": named(name="a", namespace="other"),
    "unknown-fields": a_probe(zz=1, metadata={"name": "a", "zz": 1}, spec={"zz": None, "text": {"a": 1}, "free": {"x": None}}),
    "many-unknown-fields": a_probe(spec={f"unknown{number:060}": 1 for number in range(300)}),
    "system-metadata": named(name="a", uid="x", generation=-7, selfLink="/x", managedFields=[{"manager": "q"}]),
    "bad-names": named(name="A_b", generateName="B_", labels={"a b": "c d"}, finalizers=["a b"]),
    "advised-finalizers": named(name="a", finalizers=["x", "y.z", "x", "a.io/b"]),
    "equal-owners": named(name="a", ownerReferences=[OWNER, OWNER, OWNER | {"kind": "B"}]),
    "generated-name": named(generateName="abc-"),
    "invalid": a_probe(spec={"replicas": -1.5, "mode": "x", "text": "x" * 11, "list": [{"name": "a"}, {"name": "a"}, {}]}),
    "broken-rules": a_probe(metadata={"name": "a-name-of-twenty-characters"}, spec={"gone": "bad", "replicas": -1}),
    "embedded": a_probe(spec={"embedded": {"metadata": {"name": "x/y"}}, "templates": {"a.b": {"kind": "", "apiVersion": "a/b/c"}}}),
    "embedded-wrong-type": a_probe(spec={"embedded": {"apiVersion": 3}}),
    "whole-floats": a_probe(spec={"free": {"a": 1.0, "b": 1e20, "c": [2.0]}, "ratio": 3.0}),
    "status": a_probe(status={"phase": "nonsense", "zz": 1}),
    "quoted-name": named(name="a\nb\u2028"),
    "quoted-version": a_probe(apiVersion="\n", metadata={"name": "a", "labels": {"a": 1}}),
    "equal-owners-refused": a_probe(metadata={"name": "a", "ownerReferences": [OWNER, OWNER]}, spec={"zz": 1}),
    "long-warnings": a_probe(
        metadata={"name": "a", "finalizers": ["x" * 60] * 3}, spec={f"{number}{'u' * 300}": 1 for number in range(15)}
    ),
    "zero-times": a_probe(spec={"embedded": {"apiVersion": "v1", "kind": "A", "metadata": {"managedFields": [{"time": ZERO_TIME}]}}}),
    "large-floats": a_probe(spec={"ratio": 9223372036854774784.0, "free": {"a": -9223372036854775808.0, "b": 1e20, "c": -1.5}}),
}
CHANGES: dict[str, JSONObject] = {
    "nothing": {},
    "labels": {"metadata": {"labels": {"a": "b"}}},
    "bad-labels": {"metadata": {"labels": {"a b": "c"}}},
    "no-version": {"metadata": {"resourceVersion": ""}},
    "bad-version": {"metadata": {"resourceVersion": "abc"}},
    "older-version": {"metadata": {"resourceVersion": "1"}},
    "another-uid": {"metadata": {"uid": "x"}},
    "another-name": {"metadata": {"name": "b"}},
    "deletion": {"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z", "deletionGracePeriodSeconds": 3}},
    "generation": {"metadata": {"generation": 77, "creationTimestamp": "2020-01-01T00:00:00Z"}},
    "self-link": {"metadata": {"selfLink": "/x"}, "spec": {"text": "y"}},
    "spec": {"spec": {"text": "y", "replicas": 2}},
    "bad-spec": {"spec": {"text": "x" * 11, "gone": "bad"}},
    "status": {"status": {"phase": "Up", "lastUsed": "2026-01-01T00:00:00Z"}},
    "bad-status": {"status": {"phase": "x", "lastUsed": True, "replicas": -1, "selector": 3}},
    "status-no-map": {"status": "x"},
    "another-kind": {"kind": "Pod", "status": {"phase": "x"}},
    "no-time": {"metadata": {"deletionTimestamp": ZERO_TIME}},
    _LATE: {"metadata": {"deletionTimestamp": "9999-12-31T23:59:59-23:59", "labels": {"a b": ""}}},
    "managed-fields": {"metadata": {"managedFields": [an_entry(), an_entry(manager="a\tb", operation="Update")]}},
    "unreadable-managed-fields": {"metadata": {"managedFields": [an_entry(), an_entry(operation="")]}},
}


@pytest.mark.parametrize("validation", list(FieldValidation))
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_creations_get_the_same_answer(server: Server, probe: ResourceDefinition, body: JSONValue, validation: FieldValidation) -> None:
    answer = server.send("POST", f"{PROBES}?dryRun=All&fieldValidation={validation}", body)
    assert ours(send(probe, body, validation=validation)) == theirs(answer)


@pytest.mark.parametrize("subresource", ["", "status"])
@pytest.mark.parametrize(
    "change", [change for name, change in CHANGES.items() if name != _LATE], ids=[name for name in CHANGES if name != _LATE]
)
def test_updates_get_the_same_answer(server: Server, probe: ResourceDefinition, change: JSONObject, subresource: str) -> None:
    server.send("POST", PROBES, a_probe(spec={"text": "x", "replicas": 1}))
    _, stored, _ = server.send("GET", f"{PROBES}/a")
    try:
        body = stored | change
        body["metadata"] = stored["metadata"] | change.get("metadata", {})
        path = f"{PROBES}/a/{subresource}" if subresource else f"{PROBES}/a"
        answer = server.send("PUT", f"{path}?dryRun=All&fieldValidation=Strict", body)
        assert ours(send(probe, body, stored, subresource=subresource)) == theirs(answer)
    finally:
        server.send("DELETE", f"{PROBES}/a")


def test_a_time_after_9999_gets_the_same_answer_but_for_the_managed_fields_in_it(server: Server, probe: ResourceDefinition) -> None:
    server.send("POST", PROBES, a_probe(spec={"text": "x", "replicas": 1}))
    _, stored, _ = server.send("GET", f"{PROBES}/a")
    try:
        metadata = stored["metadata"] | CHANGES[_LATE]["metadata"]
        code, body, _ = server.send("PUT", f"{PROBES}/a?dryRun=All&fieldValidation=Strict", stored | {"metadata": metadata})
        answer = send(probe, stored | {"metadata": metadata}, stored)
        assert (answer.code, _ends(answer.causes)) == (code, _ends(body["details"]["causes"]))
    finally:
        server.send("DELETE", f"{PROBES}/a")


def _ends(causes: Iterable[JSONObject]) -> list[tuple[JSONValue, str]]:
    return [(cause["field"], cause["message"].rpartition("}: ")[2]) for cause in causes]


@pytest.mark.parametrize("entry", [*IGNORED_ENTRIES, *KEPT_ENTRIES])
def test_the_same_managed_fields_are_ignored(server: Server, probe: ResourceDefinition, entry: JSONObject) -> None:
    body = named(name="a", managedFields=[entry])
    assert ours(send(probe, body)) == theirs(server.send("POST", f"{PROBES}?dryRun=All&fieldValidation=Strict", body))


SCALE: JSONObject = {
    "apiVersion": "autoscaling/v1",
    "kind": "Scale",
    "metadata": {"name": "a", "namespace": "default"},
    "spec": {"replicas": 2},
}


@pytest.mark.parametrize("validation", list(FieldValidation))
@pytest.mark.parametrize(
    "scale",
    [
        SCALE,
        None,
        SCALE | {"zz": 1, "spec": {"zz": 1}, "status": {'q"': 1}},
        SCALE | {"metadata": {"name": "a", "zz": 1}},
        SCALE | {"Kind": 5},
        SCALE | {"kind": ..., "Kind": "Pod"},
        SCALE | {"spec": {"replicas": -(2**31)}},
        SCALE | {"spec": {"replicas": -1}},
        SCALE | {"spec": {"replicas": 2**31}},
        SCALE | {"metadata": {"name": "b"}},
        SCALE | {"metadata": {"name": "a", "resourceVersion": "1"}},
    ],
)
def test_scales_get_the_same_answer(server: Server, probe: ResourceDefinition, scale: JSONValue, validation: FieldValidation) -> None:
    # Unknown fields are reported in the order of the text, which is that of the sorted keys.
    body = scale and {key: scale[key] for key in sorted(scale) if scale[key] is not ...}
    server.send("POST", PROBES, a_probe(spec={"replicas": 1}))
    _, stored, _ = server.send("GET", f"{PROBES}/a")
    try:
        code, found, warnings = server.send("PUT", f"{PROBES}/a/scale?dryRun=All&fieldValidation={validation}", body)
        answer = send(probe, body, stored, subresource="scale", validation=validation)
        assert (answer.code, answer.message, answer.warnings) == (code, "" if code == 200 else found["message"], warnings)
        assert code != 200 or answer.object["spec"]["replicas"] == found["spec"].get("replicas", 0)
    finally:
        server.send("DELETE", f"{PROBES}/a")
