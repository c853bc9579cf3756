"""Namespaces with limit ranges: the values that these fill in, and the pods that they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, facts, node, pod, reasons
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.outcome import Reason
from weighbridge.policies.placement.placement import place


def limit_range(name: str = "limits", namespace: str = "default", kind: str = "Container", **limits: dict[str, str]) -> JSONObject:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": {"limits": [{"type": kind, **limits}]}}


SMALL = node(allocatable={"cpu": "2", "memory": "4Gi"})
CPU, MEMORY = "Insufficient cpu", "Insufficient memory"


@pytest.mark.parametrize(
    ("limits", "asked", "rejected"),
    [
        (limit_range(default={"cpu": "3"}), pod(), [CPU]),
        (limit_range(default={"cpu": "3"}, defaultRequest={"cpu": "1"}), pod(), []),
        (limit_range(max={"memory": "8Gi"}), pod(), [MEMORY]),
        (limit_range(max={"memory": "8Gi"}, default={"memory": "1Gi"}), pod(), []),
        (limit_range(min={"cpu": "3"}), pod(), [CPU]),
        (limit_range(defaultRequest={"cpu": "1500m"}), pod({}, {}), [CPU]),
        (limit_range(defaultRequest={"cpu": "3"}), pod({"cpu": "1"}), []),
        (limit_range(defaultRequest={"cpu": "3"}), pod(initContainers=[container({}, "i")]), [CPU]),
        (limit_range(namespace="elsewhere", defaultRequest={"cpu": "3"}), pod(), []),
        (limit_range(kind="Pod", max={"cpu": "3"}), pod({"cpu": "1"}), []),
    ],
)
def test_containers_ask_for_what_the_namespace_fills_in(limits: JSONObject, asked: JSONObject, rejected: list[str]) -> None:
    assert reasons(asked, SMALL, limits) == rejected


def limited(request: str = "1", **amounts: str) -> dict[str, Any]:
    return {"containers": [{"name": "c", "image": "x", "resources": {"limits": amounts, "requests": {"cpu": request}}}]}


@pytest.mark.parametrize(
    ("limits", "asked", "cause"),
    [
        (limit_range(max={"cpu": "1"}), pod({"cpu": "1", "memory": "1Gi"}), ""),
        (limit_range(max={"cpu": "500m"}), pod(**limited(cpu="2")), "maximum cpu usage per Container is 500m, but limit is 2"),
        (limit_range(min={"cpu": "2"}), pod({"cpu": "1"}), "minimum cpu usage per Container is 2, but request is 1"),
        (limit_range(kind="Pod", min={"memory": "1Gi"}), pod(), "minimum memory usage per Pod is 1Gi.  No request is specified"),
        (
            limit_range(kind="Pod", max={"cpu": "3", "memory": "1Gi"}),
            pod(**limited(cpu="4")),
            "[maximum cpu usage per Pod is 3, but limit is 4, maximum memory usage per Pod is 1Gi.  No limit is specified]",
        ),
        (
            limit_range(maxLimitRequestRatio={"cpu": "2"}),
            pod(**limited(cpu="3")),
            "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000",
        ),
        # The quotient of the floating-point numbers 2.1 and 0.7 is more than 3.
        (limit_range(maxLimitRequestRatio={"cpu": "3"}), pod(**limited("700m", cpu="2100m")), ""),
        (
            limit_range(maxLimitRequestRatio={"cpu": "1"}),
            pod(**limited(cpu="1001m")),
            "cpu max limit to request ratio per Container is 1, but provided ratio is 1.001000",
        ),
        (
            limit_range(maxLimitRequestRatio={"memory": "2"}),
            pod(),
            "memory max limit to request ratio per Container is 2, but no request is specified or request is 0",
        ),
    ],
)
def test_a_pod_beyond_the_limits_is_not_stored(limits: JSONObject, asked: JSONObject, cause: str) -> None:
    placement = place(asked, facts(SMALL, limits))
    if cause:
        assert (placement.reason, placement.message) == (Reason.REJECTED, f'pods "p" is forbidden: {cause}')
    else:
        assert placement.reason is Reason.NONE


def test_the_pod_s_own_namespace_counts() -> None:
    asked = pod()
    asked["metadata"]["namespace"] = "elsewhere"
    cluster = facts(SMALL, limit_range(namespace="elsewhere", defaultRequest={"cpu": "3"}))
    assert place(asked, cluster).feasible == []
    assert place(pod(), cluster).feasible == ["n"]
    assert place(pod(), cluster, namespace="elsewhere").feasible == []
