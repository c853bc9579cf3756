"""The keys by which dependents are found miss none whose prediction differs: every change is compared with every object."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.doors.cases import all_cases
from tests.families.examples import example_cluster, example_request, examples
from tests.families.roundabout import ROUNDABOUT
from tests.yaml_documents import read_all
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.kinds import CRDS
from weighbridge.policies.families import families, readers_of
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, name_of, namespace_of
from weighbridge.policies.verdict.impact import dependents, failure_of, kinds_of, resolved
from weighbridge.webhook.inputs.facts import bundled_definitions

FAMILIES = [family for family in families() if family.influences]
#: The most values of an object's spec that are changed, one at a time.
_MOST_CHANGES = 8


def _clusters(family: Family) -> Iterator[tuple[list[JSONObject], Configuration]]:
    """The objects of every case and every example, including the judged one."""
    groups = {kind.gvk.group for kind in family.kinds}
    for case in all_cases():
        request = case.request()
        if request.gvk.group in groups and isinstance(request.object, dict):
            yield [*(case.cluster or []), request.object], case.configuration()
    for rule in family.rules():
        request = example_request(family, rule, examples(rule).bad)
        yield [*example_cluster(rule), request.object], parse(examples(rule).config)
    yield list(read_all(ROUNDABOUT)), parse({})


def _leaves(value: JSONValue, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield (*path, key)
        yield from _leaves(inner, (*path, key))


def _changed(value: JSONValue) -> JSONValue:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return f"{value}-other" if isinstance(value, str) else None


def _versions(obj: JSONObject) -> Iterator[JSONObject | None]:
    """The object without one of its values, or with another one in its place; and gone."""
    yield None
    leaves = [*_leaves(obj.get("spec"), ("spec",)), *_leaves(obj.get("data"), ("data",))]
    for path in leaves[:_MOST_CHANGES]:
        for leaves_out in (True, False):
            other = copy.deepcopy(obj)
            held: Any = other
            for step in path[:-1]:
                held = held[step]
            if leaves_out:
                del held[path[-1]]
            else:
                held[path[-1]] = _changed(held[path[-1]])
            yield other


def _overlooked(
    family: Family, obj: JSONObject, facts: Facts, config: Configuration, asked: set[tuple[str, str]]
) -> Iterator[tuple[str, bool]]:
    """Each dependent whose prediction differs after a change, by the changed object, and whether it is found."""
    kind = str(obj.get("kind"))
    kinds = {each.gvk: each for influence in family.influences[kind] for each in kinds_of(influence, obj, family)}
    others = [(each, one) for gvk, each in kinds.items() for one in facts.objects.list(gvk.group, gvk.kind)]
    # Many cases share a cluster, in which the same objects meet again.
    others = [(each, one) for each, one in others if (str(obj), str(one)) not in asked]
    asked.update((str(obj), str(one)) for _, one in others)
    own = [config.within(namespace_of(one)) for _, one in others]
    before = facts.overlaid([obj])
    then = [_told(each, one, family, before, its) for (each, one), its in zip(others, own, strict=True)]
    for version in _versions(obj) if others else ():
        after = facts.without([obj]) if version is None else facts.overlaid([version])
        found = {
            (each.gvk, namespace_of(one), name_of(one))
            for state, known in ((obj, before), (version, after))
            if state is not None
            for each, one in dependents(state, family, kind, known)
        }
        for (each, one), its, was in zip(others, own, then, strict=True):
            if was != _told(each, one, family, after, its):
                told = f"{kind} {namespace_of(obj)}/{name_of(obj)} -> {each.gvk.kind} {namespace_of(one)}/{name_of(one)}"
                yield told, (each.gvk, namespace_of(one), name_of(one)) in found


def _told(kind: Kind, obj: JSONObject, family: Family, facts: Facts, config: Configuration) -> Any:
    """The prediction for an object or, if its kind has none, the reason why it doesn't work."""
    if kind.gvk.kind not in family.predict:
        return failure_of(kind, obj, family, facts, config)
    found = resolved(kind, obj, family, facts, config)
    return found and (found.failure, found.status, list(found.objects))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_index_leaves_out_none_whose_prediction_differs(family: Family) -> None:
    led_to: set[tuple[str, str]] = set()
    overlooked: set[str] = set()
    asked: dict[str, set[tuple[str, str]]] = {}
    for objects, config in _clusters(family):
        facts = from_objects(objects, bundled_definitions(config))
        for obj in objects:
            gvk = GroupVersionKind.from_object(obj)
            is_own = gvk is not None and family.kind(gvk) is not None and gvk.kind in family.influences
            if gvk is None or not (is_own or family in readers_of(gvk, obj, [kind.gvk.group for kind in family.kinds])):
                continue
            for told, is_found in _overlooked(family, obj, facts, config, asked.setdefault(str(objects[:-1]), set())):
                led_to.add((gvk.kind, told.partition(" -> ")[2].partition(" ")[0]))
                if not is_found:
                    overlooked.add(told)
    assert not overlooked
    # The clusters have only a few definitions; tests/cli/test_impact_of_definitions.py has all.
    led_to -= {(CRDS.gvk.kind, dependents) for _, dependents in led_to}
    of_objects = {kind: influences for kind, influences in family.influences.items() if kind != CRDS.gvk.kind}
    kinds = {(kind, influence.dependents) for kind, influences in of_objects.items() for influence in influences}
    assert led_to == kinds
