"""Random bodies from a seed: objects of the test resources with something odd in their metadata, type, spec or status."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

from tests.apiserver.managed import IGNORED_ENTRIES, KEPT_ENTRIES
from weighbridge.policies.ground.objects import JSONObject, JSONValue

Draw = Callable[[Random], JSONValue]

ODD: list[JSONValue] = [
    None, True, 0, 1, -1, 1.5, 1e20, 2**63 - 1, "", "a", "A", "a/b", "a b", "é", "\n", "<&>\u2028", "x" * 64, "x" * 254, [], [None], ["a"],
    [{}], {}, {"a": "b"}, {"a": 1}, {"a": None}, {"a b": "c"}, "2026-01-01T00:00:00Z",
]  # fmt: skip
TIMES = [
    "2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "2026-01-01T00:00:00.5+02:00", "2026-01-01t00:00:00z", "2026-02-30T00:00:00Z", "", 5,
    "9999-12-31T23:59:59-23:59",
]  # fmt: skip
NAMES = ["a", "a.b", "A", "a_b", "", "a/b", "..", "a%b", "x" * 253, "x" * 254, "é", "a-", "a" * 29]
KEYS = ["a", "a.b/c", "A.b/c", "/c", "a/b/c", "", "x" * 64, "é", "k8s.io/İ", "x" * 254 + "/a"]


def odd(random: Random) -> JSONValue:
    """A value that hardly fits anywhere."""
    return copy.deepcopy(random.choice(ODD))


def _maybe(random: Random, into: JSONObject, chance: float, draws: dict[str, Draw]) -> None:
    for key, draw in draws.items():
        if random.random() < chance:
            into[key] = draw(random) if random.random() < 0.85 else odd(random)


def _one_of(*values: JSONValue) -> Draw:
    return lambda random: copy.deepcopy(random.choice(values))


def _some(draw: Draw) -> Draw:
    return lambda random: [draw(random) for _ in range(random.randrange(4))]


def _texts(random: Random) -> JSONValue:
    return {random.choice(KEYS): random.choice(["", "v", "a b", "x" * 64, None, 1]) for _ in range(random.randrange(4))}


def _owner(random: Random) -> JSONValue:
    owner: JSONObject = {
        "apiVersion": random.choice(["v1", "a/v1", "a/b/c", ""]),
        "kind": random.choice(["A", "Event", ""]),
        "name": random.choice(["n", ""]),
        "uid": random.choice(["u", "v", ""]),
    }
    _maybe(random, owner, 0.3, {"controller": _one_of(True, True, False, None), "blockOwnerDeletion": _one_of(True, None), "zz": odd})
    return owner


def metadata(random: Random, chance: float = 0.12) -> JSONValue:
    """Metadata with a few odd fields."""
    if random.random() < 0.03:
        return odd(random)
    drawn: JSONObject = {"name": "a"}
    draws: dict[str, Draw] = {
        "name": _one_of(*NAMES),
        "namespace": _one_of("default", "default", "other", ""),
        "labels": _texts,
        "annotations": _texts,
        "finalizers": _some(_one_of("a", "a.io/b", "orphan", "foregroundDeletion", "a b", "", "y.z")),
        "ownerReferences": _some(_owner),
        "creationTimestamp": _one_of(*TIMES),
        "deletionTimestamp": _one_of(*TIMES),
        "deletionGracePeriodSeconds": _one_of(0, 5, -1, 1.5, 2.0),
        "generation": _one_of(0, 77, -1, 1.5, 2.0),
        "uid": _one_of("u", ""),
        "resourceVersion": _one_of("", "0", "1", "abc"),
        "selfLink": _one_of("x"),
        "managedFields": _some(_one_of(*IGNORED_ENTRIES, *KEPT_ENTRIES)),
        "zz": odd,
    }
    _maybe(random, drawn, chance, draws)
    return drawn


def embedded(random: Random, depth: int = 0) -> JSONValue:
    """An embedded object, perhaps with others in it."""
    drawn: JSONObject = {"apiVersion": "v1", "kind": "Pod"}
    draws: dict[str, Draw] = {
        "apiVersion": _one_of("v1", "a/b/c", "", "/"),
        "kind": _one_of("Pod", "", "a b", "İ", "x" * 64),
        "metadata": lambda random: metadata(random, 0.06),
        "spec": _one_of({"a": "x"}, {"a": None, "zz": 1}, {"n": 1.0}),
        "plain": _one_of({"x": 1}, {"y": 1}),
        "zz": odd,
    }
    _maybe(random, drawn, 0.2, draws)
    if depth < 3:
        _maybe(
            random,
            drawn,
            0.25,
            {"inner": lambda random: embedded(random, depth + 1), "deeper": _some(lambda random: embedded(random, depth + 1))},
        )
    return drawn


def spec(random: Random, kind: str) -> JSONObject:
    """The spec of a probe or a nest."""
    drawn: JSONObject = {}
    if kind == "Nest":
        fields = ("strict", "free", "nullableTemplate")
        draws: dict[str, Draw] = dict.fromkeys(fields, embedded)
        draws |= {"items": _some(embedded), "byName": lambda random: {"a.b": embedded(random)}, "set": _some(_one_of("a", "b", None))}
    else:
        draws = {
            "replicas": _one_of(0, 1, -1, 2**31, 1.0, 1.5, None),
            "text": _one_of("x", "x" * 11, None),
            "gone": _one_of("bad", "good"),
            "list": _some(_one_of({"name": "a"}, {"name": "b", "value": "x"}, {}, {"name": "a", "zz": 1}, None)),
            "free": odd,
            "embedded": embedded,
        }
    _maybe(random, drawn, 0.25, draws | {"mode": _one_of("auto", "x", None), "zz": odd})
    return drawn


def status(random: Random) -> JSONValue:
    """The status of a probe, or nearly."""
    drawn: JSONObject = {}
    draws: dict[str, Draw] = {
        "phase": _one_of("Up", "Down", "x"),
        "lastUsed": _one_of(*TIMES),
        "replicas": _one_of(1, 0, -1, 2**31, 1.5),
        "selector": _one_of("a=b", "", 5),
        "zz": odd,
    }
    _maybe(random, drawn, 0.3, draws)
    return drawn if random.random() < 0.9 else odd(random)


def body(random: Random, kind: str) -> JSONObject:
    """An object to create."""
    drawn: JSONObject = {"apiVersion": "weighbridge.test/v1", "kind": kind, "metadata": metadata(random), "spec": spec(random, kind)}
    draws: dict[str, Draw] = {
        "apiVersion": _one_of("weighbridge.test/v1alpha1", "weighbridge.test/v9", "other/v1", "a/b/c", "/v1"),
        "kind": _one_of("Pod", "", "probe"),
        "zz": odd,
        "Kind": odd,
    }
    _maybe(random, drawn, 0.03, draws)
    if random.random() < 0.2:
        drawn["status"] = status(random)
    return drawn


def update(random: Random, kind: str, stored: JSONObject) -> JSONObject:
    """The stored object with some parts replaced by those of an odd one."""
    drawn: JSONObject = copy.deepcopy(stored)
    other = body(random, kind)
    if isinstance(other["metadata"], dict):
        for key in random.sample(sorted(other["metadata"]), min(2, len(other["metadata"]))):
            if key != "name" or random.random() < 0.1:
                drawn["metadata"][key] = other["metadata"][key]
    drawn |= {key: value for key, value in other.items() if key != "metadata" and random.random() < 0.3}
    return drawn
