"""The quick check whether some node takes a pod says yes only if the whole placement finds one."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.placement.clusters import facts, node, pod
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place, some_node_takes

_AMOUNTS = st.sampled_from(["1", "2", "63", "64", "65"])
_TAINTS = st.sampled_from([[], [{"key": "k", "effect": "NoSchedule"}], [{"key": "k", "value": "v", "effect": "NoExecute"}]])


@st.composite
def _nodes(draw: st.DrawFn) -> list[JSONObject]:
    count = draw(st.integers(0, 4))
    return [node(f"n{at}", labels={"zone": draw(st.sampled_from("ab"))}, taints=draw(_TAINTS)) for at in range(count)]


@st.composite
def _pods(draw: st.DrawFn) -> JSONObject:
    spec: JSONObject = {}
    if draw(st.booleans()):
        spec["nodeSelector"] = {"zone": draw(st.sampled_from("abc"))}
    if draw(st.booleans()):
        spec["tolerations"] = [{"key": "k", "operator": "Exists"}]
    if draw(st.integers(0, 4)) == 0:
        spec["nodeName"] = draw(st.sampled_from(["n0", "gone"]))
    if draw(st.integers(0, 4)) == 0:
        spec["schedulerName"] = "another"
    if draw(st.integers(0, 4)) == 0:
        spec["resourceClaims"] = [{"name": "r", "resourceClaimName": "r"}]
    return pod({"cpu": draw(_AMOUNTS)}, **spec)


@given(_nodes(), _pods())
@settings(max_examples=300)
def test_a_yes_is_always_right(nodes: list[JSONObject], asked: JSONObject) -> None:
    known = facts(*nodes)
    assert not some_node_takes(asked, known, "default") or place(asked, known).fits


def test_a_pod_of_every_day_gets_a_yes() -> None:
    known = facts(node("n"), node("m", taints=[{"key": "k", "effect": "NoSchedule"}]))
    said = Counter(some_node_takes(pod({"cpu": cpu}), known, "default") for cpu in ("1", "64", "65"))
    assert said == {True: 2, False: 1}
