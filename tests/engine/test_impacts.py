"""The impact of a change on other objects, in a family whose operator creates what the model in a thing's namespace says."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from tests.placement.clusters import node, pod
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.families.family import Family, Influence, Kind
from weighbridge.policies.families.prediction import PredictedValue, Prediction
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.breakage import broken_objects
from weighbridge.policies.verdict.impact import Difference, Impact, dependents, impacts, label

GROUP = "a.test"


def obj(kind: str, name: str, spec: JSONValue = None, namespace: str = "n", group: str = GROUP) -> JSONObject:
    return {"apiVersion": f"{group}/v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def kind_of(kind: str, group: str = GROUP) -> Kind:
    return Kind(GroupVersionKind(group, "v1", kind), f"{kind.lower()}s")


def resolve(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """For a thing the operator creates what the model of that name says, or fails and creates nothing."""
    model = facts.objects.get(GROUP, "Model", request.namespace, "m")
    if not isinstance(model, dict):
        return Prediction({}, failure="no model")
    if model["spec"] is None:
        return None
    spec = model["spec"]
    values = [PredictedValue(name, field, value, "", "") for name, field, value in spec.get("values", ())]
    unchecked = [Unchecked("A-001", reason) for reason in spec.get("unchecked", ())]
    return Prediction(spec.get("status", {}), spec.get("objects", ()), values, failure=spec.get("failure", ""), unchecked=unchecked)


def goes_by(thing: JSONObject) -> Iterable[Hashable]:
    """A thing depends on the models of its namespace."""
    return (thing["metadata"]["namespace"], "everywhere")


def keys(changed: JSONObject, facts: Facts) -> Iterable[Hashable]:
    """A model without a namespace applies everywhere."""
    return (changed["metadata"]["namespace"] or "everywhere",)


FAMILY = Family(
    "a",
    "A",
    (kind_of("Model"), kind_of("Thing"), kind_of("Other"), kind_of("Thing", "b.test")),
    "weighbridge.policies.families.aim",
    predict={"Thing": resolve},
    influences={
        "Model": (Influence("Thing", goes_by, keys), Influence("Other", goes_by, keys)),
        "Other": (Influence("Other", goes_by, keys),),
    },
)


def facts(*objects: JSONObject) -> Facts:
    return Facts(Definitions(), ObjectStore(objects))


def dependent(kind: str, name: str) -> tuple[Kind, JSONObject, JSONObject]:
    """An object that doesn't change itself."""
    return kind_of(kind), obj(kind, name), obj(kind, name)


def never() -> bool:
    return False


def made(name: str, **fields: Any) -> JSONObject:
    return {"kind": "ConfigMap", "metadata": {"name": name}, **fields}


def impact_of(before: JSONValue, after: JSONValue) -> Impact | None:
    """The impact on a thing if the spec of its model changes; `False` means a missing model."""
    then, now = (facts(*([] if spec is False else [obj("Model", "m", spec)])) for spec in (before, after))
    found = list(impacts([dependent("Thing", "t")], FAMILY, then, now, DEFAULT))
    return found[0] if found else None


def differences(before: JSONValue, after: JSONValue) -> list[tuple[str, str, JSONValue, JSONValue]]:
    impact = impact_of(before, after)
    return [(each.object, each.field, each.before, each.after) for each in impact.differences] if impact is not None else []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"objects": [made("x", a=1)]}, {"objects": [made("x", a=1)]}, []),
        ({"objects": [made("x", a=1)]}, {"objects": [made("x", a=2)]}, [("ConfigMap/x", "a", 1, 2)]),
        ({"objects": [made("x", a=1)]}, {"objects": [made("x", b=1)]}, [("ConfigMap/x", "a", 1, None), ("ConfigMap/x", "b", None, 1)]),
        (
            {"objects": [made("x"), made("z")]},
            {"objects": [made("x"), made("y")]},
            [("ConfigMap/y", "", None, "made"), ("ConfigMap/z", "", "made", None)],
        ),
        (
            {"objects": [made("x", a={"b": [{"name": "c", "d": 1}, {"d": 2}, 3], "e": {}, "f": []})]},
            {"objects": [made("x", a={"b": [{"name": "c", "d": 4}, {"d": 5}, 6], "e": [], "f": {}})]},
            [
                ("ConfigMap/x", "a.b[c].d", 1, 4),
                ("ConfigMap/x", "a.b[1].d", 2, 5),
                ("ConfigMap/x", "a.b[2]", 3, 6),
                ("ConfigMap/x", "a.e", {}, []),
                ("ConfigMap/x", "a.f", [], {}),
            ],
        ),
        ({"status": {"a": 1}}, {"status": {"a": 2}}, [("status", "a", 1, 2)]),
        ({"status": {}}, {"status": {"a": 2}}, [("status", "a", None, 2)]),
        ({"status": {"conditions": [1]}}, {"status": {"conditions": [2]}}, []),
        ({"values": [("Pod/p", "a", 1), ("Pod/p", "a", 9)]}, {"values": [("Pod/p", "a", 2)]}, [("Pod/p", "a", 1, 2)]),
        (
            {"values": [("ConfigMap/x", "a", 1)], "objects": [made("x")]},
            {"values": [("ConfigMap/x", "a", 2)]},
            [("ConfigMap/x", "", "made", None)],
        ),
        ({"values": [("ConfigMap/x", "a", 1)]}, {"objects": [made("x")]}, [("ConfigMap/x", "", None, "made")]),
        (None, {"objects": [made("x")]}, []),
        ({"objects": [made("x")]}, None, []),
    ],
)
def test_each_value_that_differs_is_told(
    before: JSONValue, after: JSONValue, expected: list[tuple[str, str, JSONValue, JSONValue]]
) -> None:
    assert differences(before, after) == expected


def test_an_impact_is_reported_whole() -> None:
    impact = impact_of({"objects": [made("x")]}, False)
    assert impact is not None
    assert impact.as_json() == {
        "kind": "Thing",
        "namespace": "n",
        "name": "t",
        "breaks": True,
        "mends": False,
        "neverRuns": False,
        "failure": {"before": "", "after": "no model"},
        "differences": [{"object": "ConfigMap/x", "field": "", "before": "made", "after": None}],
    }


def test_why_an_impact_is_not_known_is_told_once() -> None:
    impact = impact_of({}, {"unchecked": ["b", "a", "b"]})
    assert impact is not None
    assert (impact.unchecked, impact.differs, impact.as_json()["unchecked"]) == ("b; a", False, "b; a")
    assert impact_of({"unchecked": ["a"]}, {}) is None


@pytest.mark.parametrize(
    ("fields", "breaks", "differs", "mends"),
    [
        ({}, False, False, False),
        ({"failure_after": "x"}, False, True, False),
        ({"failure_after": "x", "was_made": True}, True, True, False),
        ({"failure_after": "x", "failure_before": "x", "was_made": True}, False, False, False),
        ({"failure_after": "x", "failure_before": "y", "was_made": True}, False, True, False),
        ({"failure_before": "y", "was_made": True}, False, True, True),
        ({"never_runs": True, "was_made": True}, True, True, False),
        ({"never_runs": True}, False, True, False),
        ({"never_runs": True, "never_ran": True, "was_made": True}, False, False, False),
        ({"never_ran": True, "was_made": True}, False, True, True),
        ({"never_ran": True, "why_later": "a cordon", "was_made": True}, False, True, False),
        ({"why_later": "a cordon", "was_made": True}, False, True, False),
        ({"differences": [Difference("a", "b", 1, 2)]}, False, True, False),
    ],
)
def test_what_was_made_and_now_fails_is_broken(fields: dict[str, Any], breaks: bool, differs: bool, mends: bool) -> None:
    impact = Impact(obj("Thing", "t"), **{"differences": [], **fields})
    assert (impact.breaks, impact.differs, impact.mends) == (breaks, differs, mends)


def test_a_change_concerns_what_stands_beside_it() -> None:
    stored = [obj("Thing", "t"), obj("Thing", "u", namespace="m"), obj("Other", "o"), obj("Thing", "b", group="b.test"), obj("Model", "m")]
    beside = dependents(obj("Model", "m"), FAMILY, "Model", facts(*stored))
    assert [(kind.gvk.group, found["metadata"]["name"]) for kind, found in beside] == [(GROUP, "t"), (GROUP, "o")]
    everywhere = dependents(obj("Model", "m", namespace=""), FAMILY, "Model", facts(*stored))
    assert sorted(found["metadata"]["name"] for _, found in everywhere) == ["o", "t", "u"]
    elsewhere = dependents(obj("Model", "m", group="c.test"), FAMILY, "Model", facts(*stored))
    assert sorted(found["metadata"]["name"] for _, found in elsewhere) == ["b", "o", "t"]
    assert list(dependents(obj("Thing", "t"), FAMILY, "Thing", facts(*stored))) == []


def test_of_a_kind_without_prediction_nothing_is_said() -> None:
    assert list(impacts([dependent("Other", "o")], FAMILY, facts(), facts(obj("Model", "m", {})), DEFAULT)) == []


def runs(cpu: str) -> JSONObject:
    """The spec of a model for which a Deployment is created that requests that much CPU."""
    return {"objects": [{"kind": "Deployment", "metadata": {"name": "d"}, "spec": {"template": pod({"cpu": cpu})}}]}


@pytest.mark.parametrize(
    ("before", "after", "never_ran", "never_runs", "breaks"),
    [
        ("1", "64", False, False, False),
        ("64", "65", False, True, True),
        ("65", "64", True, False, False),
        ("65", "66", True, True, False),
        ("65", "65", False, False, False),
    ],
)
def test_pods_that_no_node_can_run_any_more_are_broken(before: str, after: str, never_ran: bool, never_runs: bool, breaks: bool) -> None:
    then, now = (from_objects([obj("Model", "m", runs(cpu)), node()], Definitions()) for cpu in (before, after))
    found = list(impacts([dependent("Thing", "t")], FAMILY, then, now, DEFAULT))
    assert [(each.never_ran, each.never_runs, each.breaks) for each in found] == [(never_ran, never_runs, breaks)] * (before != after)


def test_a_change_after_which_no_node_runs_the_pods_is_told_of() -> None:
    model = GroupVersionKind(GROUP, "v1", "Model")
    request = Request("u", Operation.UPDATE, model, obj("Model", "m", runs("65")), obj("Model", "m", runs("1")))
    stored = from_objects([obj("Model", "m", runs("1")), obj("Thing", "t"), node()], Definitions())
    told = [str(finding) for finding in broken_objects(request, FAMILY, stored, DEFAULT, never)]
    words = "no node could run its pods: 0/1 nodes are available: 1 Insufficient cpu; n has 64 of the 65 requested cpu"
    assert told == [f"this change breaks Thing n/t; of the first: {words}"]


GOOD: JSONObject = {"objects": [made("x")]}
HINT = "to see each difference, run: weighbridge impact "


def told(old: JSONValue, new: JSONValue, count: int, kind: str = "Model") -> list[tuple[str, str]]:
    """The report of a change of a model in a namespace with that many things."""
    changed = [obj(kind, "m", spec) if spec is not False else None for spec in (old, new)]
    things = [obj("Thing", f"t{number}") for number in range(count)]
    operation = Operation.DELETE if new is False else Operation.UPDATE
    request = Request("u", operation, GroupVersionKind(GROUP, "v1", kind), changed[1], changed[0])
    stored = facts(*(found for found in changed if found is not None), *things)
    findings = [each for each in broken_objects(request, FAMILY, stored, DEFAULT, never) if isinstance(each, Finding)]
    assert all((each.rule, each.severity, each.path) == ("WB-002", Severity.WARNING, ()) for each in findings)
    return [(each.message, each.hint) for each in findings]


def test_a_change_that_breaks_others_names_them() -> None:
    five = ", ".join(f"Thing n/t{number}" for number in range(5))
    bad = {"failure": "too large"}
    assert told(GOOD, bad, 1) == [("this change breaks Thing n/t0; of the first: too large", f"{HINT}-f FILE")]
    assert told(GOOD, bad, 5) == [(f"this change breaks {five}; of the first: too large", f"{HINT}-f FILE")]
    assert told(GOOD, bad, 6) == [(f"this change breaks {five} and 1 more; of the first: too large", f"{HINT}-f FILE")]
    assert (
        told(GOOD, bad, 201)
        == told(GOOD, bad, 200)
        == [(f"this change breaks {five} and 195 more; of the first: too large", f"{HINT}-f FILE")]
    )
    assert told(GOOD, False, 1) == [("this deletion breaks Thing n/t0; of the first: no model", f"{HINT}--delete Model/n/m")]


def test_a_change_that_breaks_nothing_is_not_told_of() -> None:
    assert told(GOOD, {"objects": [made("y")]}, 1) == []
    assert told(GOOD, GOOD, 1) == []
    assert told(GOOD, {"failure": "x"}, 0) == []
    assert told({"failure": "x"}, {"failure": "y"}, 1) == []
    assert told(GOOD, {"failure": "x"}, 1, kind="Thing") == []


def asked(facts: Facts, expired: Callable[[], bool] = never) -> tuple[list[str], list[str]]:
    """The things that are predicted for a change of a model for the worse, and the findings."""
    resolved = []

    def counting(request: Request, known: Facts, config: Configuration) -> Prediction | None:
        resolved.append(request.name)
        return resolve(request, known, config)

    family = replace(FAMILY, predict={"Thing": counting})
    request = Request(
        "u", Operation.UPDATE, GroupVersionKind(GROUP, "v1", "Model"), obj("Model", "m", {"failure": "x"}), obj("Model", "m", GOOD)
    )
    found = list(broken_objects(request, family, facts, DEFAULT, expired))
    return resolved, [each.reason if isinstance(each, Unchecked) else each.message for each in found]


def test_only_what_is_stored_and_not_given_is_asked() -> None:
    things = [obj("Thing", f"t{number}") for number in range(3)]
    model = obj("Model", "m", GOOD)
    assert asked(from_objects([], Definitions(), beside=[model, *things])) == ([], [])
    stored = from_objects([model, *things], Definitions(), beside=[model, *things[:2], obj("Thing", "new")])
    assert asked(stored) == (["t2", "t2"], ["this change breaks Thing n/t2; of the first: x"])
    assert asked(from_objects([model, obj("Thing", "far", namespace="far")], Definitions())) == ([], [])


def test_of_more_objects_than_are_looked_at_it_is_said() -> None:
    resolved, said = asked(facts(*(obj("Thing", f"t{number}") for number in range(201))))
    assert len(set(resolved)) == 200
    assert said[0] == "only the first 200 of the objects that depend on it were checked"


def test_the_deadline_ends_the_look_at_others_and_is_told_of() -> None:
    answers = iter([False, False, True])
    resolved, said = asked(facts(*(obj("Thing", f"t{number}") for number in range(9))), lambda: next(answers))
    assert set(resolved) == {"t0", "t1"}
    assert said[0] == "only the first 2 of the objects that depend on it were checked, since the time ran out"
    assert said[1].startswith("this change breaks Thing n/t0, Thing n/t1")


def test_an_object_is_named_with_its_namespace_if_it_has_one() -> None:
    assert label(obj("Thing", "t")) == "Thing n/t"
    assert label(obj("Thing", "t", namespace="")) == "Thing t"
