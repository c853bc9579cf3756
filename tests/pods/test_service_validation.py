"""Services and claims are accepted or refused as by the API server, whichever controller created them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.server_release import judging, nearest
from weighbridge.policies.pods.validation.service import claim_errors, service_errors

PORT = {"name": "http", "port": 80}
_LABEL = "a lowercase RFC 1123 label must consist of"
_NUMBER = "must be between 1 and 65535, inclusive"


def service(**spec: Any) -> JSONObject:
    """A Service that is good except for these fields."""
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"ports": [PORT], "selector": {"app": "a"}, **spec}}


def claim(**spec: Any) -> JSONObject:
    """A claim that is good except for these fields."""
    good = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c"}, "spec": {**good, **spec}}


def refusal(obj: JSONObject) -> str:
    """The API server's error on a Service or a claim; empty if it accepts the object."""
    check: Callable[[JSONObject], Iterator[FieldError]] = service_errors if obj["kind"] == "Service" else claim_errors
    errors = list(check(obj))
    return invalid_message(obj["kind"], "", name_of(obj), errors) if errors else ""


@pytest.mark.parametrize(
    ("spec", "about"),
    [
        ({}, ""),
        ({"ports": []}, "spec.ports: Required value"),
        ({"ports": [], "clusterIP": "None"}, ""),
        ({"ports": [{"port": 80}]}, ""),
        ({"ports": [{"port": 80}, {"port": 81}]}, "spec.ports[0].name: Required value"),
        ({"ports": [PORT, {"name": "http", "port": 81}]}, 'spec.ports[1].name: Duplicate value: "http"'),
        ({"ports": [{"name": "Http", "port": 80}]}, f'spec.ports[0].name: Invalid value: "Http": {_LABEL}'),
        ({"ports": [{"port": 0}]}, f"spec.ports[0].port: Invalid value: 0: {_NUMBER}"),
        ({"ports": [{"port": 70000}]}, f"spec.ports[0].port: Invalid value: 70000: {_NUMBER}"),
        ({"ports": [{"port": 80, "targetPort": 70000}]}, f"spec.ports[0].targetPort: Invalid value: 70000: {_NUMBER}"),
        ({"ports": [{"port": 80, "targetPort": "Web"}]}, 'spec.ports[0].targetPort: Invalid value: "Web": must contain only alpha-numeric'),
        ({"ports": [{"port": 80, "protocol": "ICMP"}]}, 'spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP"'),
        ({"ports": [{"port": 80, "protocol": ""}]}, ""),
        ({"ports": [{"port": 80, "appProtocol": "a b"}]}, 'spec.ports[0].appProtocol: Invalid value: "a b": name part must consist of'),
        (
            {"ports": [PORT, {"name": "web", "port": 80}]},
            'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
        ),
        ({"ports": [PORT, {"name": "web", "port": 80, "protocol": "UDP"}]}, ""),
        ({"type": "External"}, 'spec.type: Unsupported value: "External": supported values: "ClusterIP"'),
        ({"type": ""}, ""),
        ({"selector": {"app": "a b"}}, 'spec.selector: Invalid value: "a b": a valid label must be an empty string'),
    ],
)
def test_a_service_has_ports_each_of_its_own(spec: JSONObject, about: str) -> None:
    message = refusal(service(**spec))
    assert bool(message) == bool(about)
    assert about in message


@pytest.mark.parametrize(
    ("spec", "about"),
    [
        ({}, ""),
        ({"accessModes": []}, "spec.accessModes: Required value: at least 1 access mode is required"),
        ({"accessModes": ["Often"]}, 'spec.accessModes: Unsupported value: "Often": supported values: "ReadOnlyMany", "ReadWriteMany"'),
        (
            {"accessModes": ["ReadWriteOncePod", "ReadWriteMany"]},
            "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
        ),
        ({"resources": {}}, "spec.resources[storage]: Required value"),
        ({"resources": {"requests": {"storage": "0"}}}, 'spec.resources[storage]: Invalid value: "0": must be greater than zero'),
        ({"resources": {"requests": {"storage": "-1Gi"}}}, 'spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero'),
        ({"storageClassName": "Fast"}, 'spec.storageClassName: Invalid value: "Fast": a lowercase RFC 1123 subdomain'),
        ({"storageClassName": ""}, ""),
    ],
)
def test_a_claim_has_a_size_and_an_access_mode(spec: JSONObject, about: str) -> None:
    message = refusal(claim(**spec))
    assert bool(message) == bool(about)
    assert about in message


@pytest.mark.parametrize(
    ("metadata", "about"),
    [
        ({"name": "a.b"}, 'metadata.name: Invalid value: "a.b": must not contain dots'),
        ({"name": "s", "labels": {"a": "b c"}}, 'metadata.labels: Invalid value: "b c": a valid label must be'),
        ({"name": "s", "annotations": {"a b": "c"}}, 'metadata.annotations: Invalid value: "a b": name part must consist of'),
    ],
)
def test_metadata_is_looked_at(metadata: JSONObject, about: str) -> None:
    assert about in refusal({**service(), "metadata": metadata})
    if "." not in metadata["name"]:
        assert about in refusal({**claim(), "metadata": metadata})


@pytest.mark.parametrize(("version", "about"), [("1.35", 'metadata.name: Invalid value: "8b": a DNS-1035 label'), ("1.36", "")])
def test_a_service_may_begin_with_a_digit_since_1_36(version: str, about: str) -> None:
    found = nearest(version)
    assert found is not None
    with judging(found):
        message = refusal({**service(), "metadata": {"name": "8b"}})
    assert bool(message) == bool(about)
    assert about in message
