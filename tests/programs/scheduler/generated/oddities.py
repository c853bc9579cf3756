"""Clusters whose nodes differ in one respect: taints, label values, cordons, the notation of amounts."""

from __future__ import annotations

import itertools
import random

from tests.programs.scheduler.generated.case import JSON
from tests.programs.scheduler.generated.hardware import ZONE, node, size

NOT_READY, UNREACHABLE, UNSCHEDULABLE = (f"node.kubernetes.io/{word}" for word in ("not-ready", "unreachable", "unschedulable"))
#: Texts that Gt and Lt must read as numbers, and texts that they must not.
NUMBERS = ("0", "5", "05", "010", "10", "1.5", "0x10", "1e3", "x", "", "9223372036854775807", "9223372036854775808", "00", "1_0", "7")


def taints(rng: random.Random) -> list[JSON]:
    """A node for each way of tainting that distinguishes tolerations."""
    ways: list[list[JSON]] = [[]]
    for key, effect in itertools.product((NOT_READY, UNREACHABLE, "gpu"), ("NoSchedule", "NoExecute", "PreferNoSchedule")):
        ways.append([{"key": key, "effect": effect}])
    ways += [
        [{"key": "gpu", "value": "v", "effect": "NoSchedule"}],
        [{"key": "gpu", "value": "v", "effect": "NoExecute"}, {"key": NOT_READY, "effect": "NoExecute"}],
        [{"key": NOT_READY, "effect": "NoSchedule"}, {"key": NOT_READY, "effect": "NoExecute"}],
        [{"key": UNSCHEDULABLE, "effect": "NoSchedule"}],
        [{"key": "gpu", "value": "w", "effect": "PreferNoSchedule"}, {"key": "team", "value": "a", "effect": "NoSchedule"}],
        [{"key": "team", "value": "a", "effect": "NoSchedule"}, {"key": "team", "value": "a", "effect": "NoExecute"}],
    ]
    rng.shuffle(ways)
    return [node(f"taint-{index:02d}", size("4", "8Gi"), taints=way) for index, way in enumerate(ways)]


def labels(rng: random.Random) -> list[JSON]:
    """A node for each text that may or may not be a number; some nodes have no zone or no host name."""
    nodes = []
    for index, text in enumerate(NUMBERS):
        more = {"size": text, "shape": rng.choice(["big", "small", "Big"])}
        if rng.random() < 0.7:
            more[ZONE] = rng.choice(["z1", "z2", ""])
        if rng.random() < 0.5:
            more["empty"] = ""
        nodes.append(node(f"label-{index:02d}", size("4", "8Gi"), labels=more))
    # Hand-made nodes may lack even the host name.
    nodes.append(node("nameless", size("4", "8Gi")))
    nodes[-1]["metadata"]["labels"] = {"shape": "big"}
    nodes.append(node("plain", size("4", "8Gi")))
    del nodes[-1]["metadata"]["labels"]
    return nodes


def cordoned(rng: random.Random) -> list[JSON]:
    """Cordoned nodes with and without a cordon's taints, among ordinary ones."""
    gpu = size("8", "32Gi", **{"amd.com/gpu": "4"})
    cordon = {"key": UNSCHEDULABLE, "effect": "NoSchedule"}
    return [
        node("cordoned", gpu, cordoned=True),
        node("cordoned-tainted", gpu, cordoned=True, taints=[cordon]),
        node("cordoned-valued", gpu, cordoned=True, taints=[cordon | {"value": "v"}]),
        node("cordoned-gpu", gpu, cordoned=True, taints=[{"key": "amd.com/gpu", "effect": "NoSchedule"}]),
        node("tainted-only", gpu, taints=[cordon], labels={ZONE: "a"}),
        node("cordoned-full", gpu | {"pods": "0"}, cordoned=True, labels={ZONE: "a"}),
        node("full", gpu | {"pods": "0"}),
        node("open", size("2", "4Gi", str(rng.randint(1, 9)))),
    ]


def odd_quantities(rng: random.Random) -> list[JSON]:
    """Amounts in every notation that the API accepts, and nodes that lack some."""
    amounts: list[dict[str, str] | None] = [
        size("3999m", "1073741823"),
        size("4", "1Gi"),
        size("4.0001", "1073741824.5"),
        size("0.0039e3", "1.073741824G"),
        size("4e0", "1Ki", "1e1"),
        size("100u", "1048576Ki", "1"),
        {"cpu": "4", "memory": "1Gi"},
        {"cpu": "4", "pods": "10"},
        {"memory": "1Gi", "pods": "10"},
        {},
        size("0", "0", "0"),
        size("4", "1Gi", **{"example.com/dongle": "3", "hugepages-2Mi": "512Mi", "ephemeral-storage": "1G"}),
        size("4", "128974848000m", **{"example.com/dongle": "1k", "ephemeral-storage": "0.5Gi"}),
        size("9223372036854775807m", "8Ei", **{"example.com/dongle": "0"}),
        size("1k", "1E", "1k"),
    ]
    nodes = [node(f"q{index:02d}", chosen) for index, chosen in enumerate(amounts)]
    return [*nodes, node("cap-only", capacity=size(str(rng.randint(1, 8)), "2Gi", **{"example.com/dongle": "2"}))]
