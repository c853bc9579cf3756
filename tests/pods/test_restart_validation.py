"""The API server's errors on when containers restart, on the ports of the node that they take, and on the name of the node."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import facts, node, pod
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import RELEASES, judging
from weighbridge.policies.placement.placement import place
from weighbridge.policies.pods.validation.restarts import restart_errors
from weighbridge.policies.pods.validation.template import pod_errors
from weighbridge.policies.schema.names import dns1123_subdomain

POLICIES = 'supported values: "Always", "Never", "OnFailure"'
NO_POLICY = "restartPolicy: Required value: must specify restartPolicy when restart rules are used"
RULE: JSONObject = {"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}
WRONG: JSONObject = {"action": "Stop"}
WRONG_RULE = [
    'restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"',
    "restartPolicyRules[0].exitCodes: Required value: must be specified",
]


def of_container(container: JSONObject, *, is_init: bool = False) -> list[str]:
    return [str(error).removeprefix("c.") for error in restart_errors(container, "c", is_init=is_init)]


@pytest.mark.parametrize(
    ("container", "errors"),
    [
        ({"restartPolicy": "Always"}, []),
        ({"restartPolicy": "Never", "restartPolicyRules": [RULE, RULE]}, []),
        ({"restartPolicy": "OnFailure", "restartPolicyRules": []}, []),
        ({"restartPolicyRules": []}, []),
        ({"restartPolicy": "Sometimes"}, [f'restartPolicy: Unsupported value: "Sometimes": {POLICIES}']),
        ({"restartPolicy": ""}, [f'restartPolicy: Unsupported value: "": {POLICIES}']),
        ({"restartPolicyRules": [RULE]}, [NO_POLICY]),
        ({"restartPolicyRules": [WRONG]}, [NO_POLICY, *WRONG_RULE]),
        ({"restartPolicy": "Never", "restartPolicyRules": [WRONG]}, WRONG_RULE),
        (
            {"restartPolicy": "Never", "restartPolicyRules": [{**RULE, "exitCodes": {"operator": "Is", "values": [1]}}]},
            ['restartPolicyRules[0].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"'],
        ),
    ],
)
def test_a_container_restarts_by_a_policy_and_by_rules(container: JSONObject, errors: list[str]) -> None:
    assert of_container(container) == errors


def test_an_init_container_without_a_policy_is_refused_for_that_alone() -> None:
    assert of_container({"restartPolicyRules": [WRONG]}, is_init=True) == [NO_POLICY]
    assert of_container({"restartPolicy": "Always", "restartPolicyRules": [WRONG]}, is_init=True) == WRONG_RULE


def test_older_servers_know_fewer_rules() -> None:
    sidecar = {"restartPolicy": "Always", "restartPolicyRules": [RULE]}
    with judging(RELEASES[0]):
        assert of_container({"restartPolicyRules": [WRONG]}) == []
    with judging(RELEASES[1]):
        forbidden = "restartPolicyRules are not allowed for init containers with restart policy Always"
        assert of_container(sidecar, is_init=True) == [f"restartPolicyRules: Forbidden: {forbidden}"]
        assert of_container({"restartPolicy": "Always"}, is_init=True) == []
        assert of_container({"restartPolicy": "Never", "restartPolicyRules": [{**RULE, "action": "RestartAllContainers"}]}) == [
            'restartPolicyRules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"'
        ]


def on(*ports: JSONObject, name: str = "c", **more: Any) -> JSONObject:
    return {"name": name, "image": "i", "ports": list(ports), **more}


def port(inside: int, outside: int = 0, **more: Any) -> JSONObject:
    return {"containerPort": inside, **({"hostPort": outside} if outside else {}), **more}


TWICE = 'hostPort: Duplicate value: "TCP//80"'
OTHER = "hostPort: Invalid value: 90: must match `containerPort` when `hostNetwork` is true"


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({"containers": [on(port(80, 80), port(81, 81))]}, []),
        ({"containers": [on(port(80, 80), port(81, 80))]}, [f"containers[0].ports[1].{TWICE}"]),
        ({"containers": [on(port(80, 80)), on(port(9), port(81, 80), name="d")]}, [f"containers[1].ports[1].{TWICE}"]),
        ({"containers": [on(port(80, 80), port(81, 80, protocol="UDP"), port(82, 80, hostIP="10.0.0.1"))]}, []),
        ({"containers": [on(port(80, 80))], "initContainers": [on(port(80, 80), name="i"), on(port(80, 80), name="j")]}, []),
        # The server gives the first init container's index for each of them.
        (
            {"containers": [on()], "initContainers": [on(name="i"), on(port(80, 80), port(80, 80), name="j")]},
            [f"initContainers[0].ports[1].{TWICE}"],
        ),
        ({"containers": [on(port(80, 90))]}, []),
        ({"containers": [on(port(80, 90))], "hostNetwork": True}, [f"containers[0].ports[0].{OTHER}"]),
        ({"containers": [on()], "initContainers": [on(port(80, 90), name="i")], "hostNetwork": True}, []),
        # In a template the ports aren't filled in yet.
        ({"containers": [on(port(80)), on(port(80), name="d")], "hostNetwork": True}, []),
        ({"containers": [on()], "hostUsers": False, "hostNetwork": True}, ["hostNetwork: Forbidden: when `hostUsers` is false"]),
        (
            {"containers": [on()], "hostUsers": False, "hostPID": True, "hostIPC": True},
            ["HostPID: Forbidden: when `hostUsers` is false", "HostIPC: Forbidden: when `hostUsers` is false"],
        ),
        ({"containers": [on()], "hostUsers": True, "hostNetwork": True, "hostPID": True}, []),
        ({"containers": [on()], "nodeName": "n.a-1"}, []),
        (
            {"containers": [on()], "nodeName": "N"},
            [f'nodeName: Invalid value: "N": {dns1123_subdomain("N")[0]}'],
        ),
    ],
)
def test_a_port_of_the_node_is_taken_once(spec: JSONObject, errors: list[str]) -> None:
    assert [str(error).removeprefix("s.") for error in pod_errors(spec, "s")] == errors


def test_pods_of_a_template_that_the_server_takes_may_take_a_port_twice() -> None:
    asked = pod(containers=[on(port(80)), on(port(80), name="d")], hostNetwork=True)
    assert list(pod_errors(asked["spec"], "spec")) == []
    assert place(asked, facts(node())).message == f'Pod "p" is invalid: spec.containers[1].ports[0].{TWICE}'
