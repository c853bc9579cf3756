"""The same requests to a real kube-apiserver and to ours: status, text, causes, warnings and object must be equal."""

from __future__ import annotations

import json
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policies.apiserver.definitions import ResourceDefinition
from policies.go_text import json_text
from policies.objects import FieldValidation, JSONObject, JSONValue, metadata_of
from tests.apiserver.probe import PLAIN_CRD, PROBE_CRD, Answer, a_probe, named, send
from tests.control_plane.crds import install_crds
from tests.control_plane.plane import ControlPlane

pytestmark = pytest.mark.control_plane

PROBES = "/apis/weighbridge.test/v1/namespaces/default/probes"
#: What only the server knows, and the name that it draws.
UNKNOWABLE = ("uid", "creationTimestamp", "resourceVersion", "managedFields", "selfLink")
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
    "spec": {"spec": {"text": "y", "replicas": 2}},
    "bad-spec": {"spec": {"text": "x" * 11, "gone": "bad"}},
    "status": {"status": {"phase": "Up", "lastUsed": "2026-01-01T00:00:00Z"}},
    "bad-status": {"status": {"phase": "x", "lastUsed": True, "replicas": -1, "selector": 3}},
    "status-no-map": {"status": "x"},
    "another-kind": {"kind": "Pod", "status": {"phase": "x"}},
}


class Server:
    """A client of the real server that sends bodies as kubectl does."""

    def __init__(self, plane: ControlPlane) -> None:
        self._plane = plane
        self._context = ssl.create_default_context(cafile=str(plane.ca_file))

    def send(self, method: str, path: str, body: JSONValue = None) -> tuple[int, JSONObject, list[str]]:
        """Status, body and warnings of the answer."""
        headers = {"Authorization": f"Bearer {self._plane.admin_token}", "Content-Type": "application/json"}
        data = None if method in {"GET", "DELETE"} else json_text(body).encode()
        request = urllib.request.Request(self._plane.server + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, context=self._context, timeout=30) as answer:
                return answer.status, json.load(answer), _warnings(answer.headers.get_all("Warning"))
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused), _warnings(refused.headers.get_all("Warning"))


def _warnings(headers: list[str] | None) -> list[str]:
    return [re.sub(r"\\(.)", r"\1", header.removeprefix('299 - "')[:-1]) for header in headers or []]


@pytest.fixture(scope="module")
def server(control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the test resources, until the end of this module."""
    folder: Path = tmp_path_factory.mktemp("crds")
    for crd in (PROBE_CRD, PLAIN_CRD):
        path = folder / f"{crd['metadata']['name']}.yaml"
        path.write_text(json.dumps(crd))
        install_crds(control_plane, path)
    yield Server(control_plane)
    control_plane.kubectl("delete", "crd", "--wait=false", PROBE_CRD["metadata"]["name"], PLAIN_CRD["metadata"]["name"], check=True)


def comparable(code: int, message: str, causes: list[JSONObject], warnings: list[str], obj: JSONValue) -> dict[str, Any]:
    """An answer without what can't be equal: what only the server knows, and the order of errors beside each other."""
    stored = None
    if code < 300 and isinstance(obj, dict):
        metadata = {key: value for key, value in metadata_of(obj).items() if key not in UNKNOWABLE}
        if "generateName" in metadata:
            del metadata["name"]
        stored = obj | {"metadata": metadata}
    return {
        "code": code,
        "message": message if len(causes) < 2 else (message.partition(" is invalid: ")[0], len(message)),
        "causes": sorted((cause.get("reason", ""), cause["field"], cause["message"]) for cause in causes),
        "warnings": warnings,
        "object": stored,
    }


def theirs(answer: tuple[int, JSONObject, list[str]]) -> dict[str, Any]:
    code, body, warnings = answer
    if code < 300:
        return comparable(code, "", [], warnings, body)
    return comparable(code, body["message"], (body.get("details") or {}).get("causes") or [], warnings, None)


def ours(answer: Answer) -> dict[str, Any]:
    obj = answer.object
    if isinstance(obj, dict) and "generateName" in obj["metadata"]:
        obj = obj | {"metadata": {"name": "drawn", **obj["metadata"]}}
    return comparable(answer.code, answer.message, list(answer.causes), answer.warnings, obj)


@pytest.mark.parametrize("validation", list(FieldValidation))
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_creations_get_the_same_answer(server: Server, probe: ResourceDefinition, body: JSONValue, validation: FieldValidation) -> None:
    answer = server.send("POST", f"{PROBES}?dryRun=All&fieldValidation={validation}", body)
    assert ours(send(probe, body, validation=validation)) == theirs(answer)


@pytest.mark.parametrize("subresource", ["", "status"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
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
