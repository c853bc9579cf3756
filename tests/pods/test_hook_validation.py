"""The API server's errors on what a container runs at its start and end, and on init containers, which have neither that nor probes.

The messages are those of Kubernetes 1.34, 1.36 and 1.37.
"""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.template import pod_errors

NO_HANDLER = "Required value: must specify a handler type"
PORT = "Invalid value: 0: must be between 1 and 65535, inclusive"
GRACE = "must be non-negative and less than terminationGracePeriodSeconds"
NOT_OF_INIT = "Forbidden: may not be set for init containers without restartPolicy=Always"


def errors_of(pod: JSONObject) -> list[str]:
    return [str(error).removeprefix("p.") for error in pod_errors(pod, "p")]


def container(**fields: Any) -> JSONObject:
    return {"name": "c", "image": "i", **fields}


@pytest.mark.parametrize(
    ("lifecycle", "errors"),
    [
        ({}, []),
        ({"preStop": None}, []),
        ({"preStop": {"exec": {"command": ["a"]}}}, []),
        ({"preStop": {}}, [f"preStop: {NO_HANDLER}"]),
        ({"preStop": {"grpc": {"port": 1}}}, [f"preStop: {NO_HANDLER}"]),
        ({"preStop": {}, "postStart": {}}, [f"postStart: {NO_HANDLER}", f"preStop: {NO_HANDLER}"]),
        ({"preStop": {"exec": {}}}, ["preStop.exec.command: Required value"]),
        ({"postStart": {"httpGet": {}}}, [f"postStart.httpGet.port: {PORT}"]),
        ({"preStop": {"sleep": {}}}, []),
        ({"preStop": {"sleep": {"seconds": 30}}}, []),
        ({"preStop": {"sleep": {"seconds": -1}}}, [f"preStop.sleep: Invalid value: -1: {GRACE} (30)"]),
        ({"postStart": {"sleep": {"seconds": 40}}}, [f"postStart.sleep: Invalid value: 40: {GRACE} (30)"]),
        (
            {"preStop": {"sleep": {"seconds": 5}, "tcpSocket": {"port": 0}}},
            [f"preStop.tcpSocket.port: {PORT}", "preStop.sleep: Forbidden: may not specify more than 1 handler type"],
        ),
        ({"stopSignal": "SIGTERM"}, []),
    ],
)
def test_a_hook_has_one_handler(lifecycle: JSONObject, errors: list[str]) -> None:
    found = errors_of({"containers": [container(lifecycle=lifecycle)]})
    assert [error.removeprefix("containers[0].lifecycle.") for error in found] == errors


def test_a_hook_sleeps_no_longer_than_its_pod_has_to_stop() -> None:
    sleeper = container(lifecycle={"preStop": {"sleep": {"seconds": 131}}})
    assert errors_of({"terminationGracePeriodSeconds": 131, "containers": [sleeper]}) == []
    found = errors_of({"terminationGracePeriodSeconds": 130, "containers": [sleeper]})
    assert found == [f"containers[0].lifecycle.preStop.sleep: Invalid value: 131: {GRACE} (130)"]


def test_an_init_container_has_no_hook_and_no_probe_unless_it_always_restarts() -> None:
    fields: JSONObject = {"lifecycle": {"preStop": {}}, "livenessProbe": {}, "readinessProbe": {}, "startupProbe": {}}
    found = errors_of({"initContainers": [container(**fields)]})
    assert found == [f"initContainers[0].{field}: {NOT_OF_INIT}" for field in fields]
    found = errors_of({"initContainers": [container(**fields, restartPolicy="Always")]})
    paths = ("lifecycle.preStop", "livenessProbe", "readinessProbe", "startupProbe")
    assert found == [f"initContainers[0].{path}: {NO_HANDLER}" for path in paths]
