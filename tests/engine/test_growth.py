"""The work of a decision with n and with 2n objects, counted and not timed; and the deadline, which ends it at any point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any

import pytest

from tests.counted_calls import calls_of
from tests.programs.benchmarks.growth import NEW_AIM, World, aim, changed, template
from tests.programs.benchmarks.growth_table import GROWTHS
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.requests import request_of

#: The smaller size; the other one is twice as much.
_SIZE = 24
#: The greatest allowed ratio of the work added by the second doubling to that added by the first. It is 2 for linear growth, and 4 for
#: quadratic growth.
_CURVED = 2.1
#: Methods of records are compiled once they have been called some times, at one size or another.
_LITTLE = 500


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The numbers of predictions, of rules that are run, and of objects that the store returns."""
    found: Counter[str] = Counter()

    def predicting(resolve: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            found["predictions"] += 1
            return resolve(*arguments)

        return call

    def looking(look: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = look(*arguments)
            found["looks"] += 1
            if isinstance(result, list):
                found["looks"] += len(result)
                return result
            return _counting(result)

        return call

    def _counting(result: Iterator[Any]) -> Iterator[Any]:
        for one in result:
            found["looks"] += 1
            yield one

    def asking(rules_for: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            rules = rules_for(*arguments)
            found["rules"] += len(rules)
            return rules

        return call

    for family in families():
        for kind, resolve in family.predict.items():
            monkeypatch.setitem(family.predict, kind, predicting(resolve))
    monkeypatch.setattr(Family, "rules_for", asking(Family.rules_for))
    for name in ("list", "where", "readings", "readings_where"):
        monkeypatch.setattr(ObjectStore, name, looking(getattr(ObjectStore, name)))
    return found


def _work(world: World, counted: Counter[str]) -> Counter[str]:
    """The work for all verdicts."""
    facts = world.facts()
    counted.clear()
    counted["calls"] = calls_of(lambda: list(world.decisions(facts)))
    return Counter(counted)


@pytest.mark.parametrize("name", GROWTHS)
def test_twice_as_much_is_twice_the_work(name: str, counted: Counter[str]) -> None:
    _, world_of = GROWTHS[name]
    # The first run imports and compiles all that the largest one needs.
    _, least, less, more = (_work(world_of(size), counted) for size in (2 * _SIZE, _SIZE // 2, _SIZE, 2 * _SIZE))
    # Calls of functions, those of dictionaries and lists too: whatever is looked at again and again.
    assert more["calls"] - less["calls"] <= _CURVED * (less["calls"] - least["calls"]) + _LITTLE
    assert more["predictions"] <= 2 * less["predictions"]
    assert more["rules"] <= 2 * less["rules"]
    # An object that exists once, such as a runtime, is found by each search.
    assert more["looks"] <= 2 * less["looks"] + _SIZE


def test_without_stored_objects_each_object_is_predicted_once(counted: Counter[str]) -> None:
    _, world_of = GROWTHS["LLMKube: pairs in one namespace"]
    assert _work(world_of(_SIZE), counted)["predictions"] == 2 * _SIZE


def _review_of_a_template() -> tuple[World, Any]:
    """A change of a template, for which a hundred services are predicted, each of which chooses among a hundred templates."""
    services = [aim(index, "one")[1] for index in range(100)]
    for service in services:
        service["spec"]["model"] = {"name": "m0"}
    templates = [template(index, "m0", NEW_AIM) for index in range(100)]
    world = World(cluster=[aim(0, "one")[0], *templates, *services])
    facts = world.facts()
    after = changed(templates[0], metric="throughput")
    return world, request_of(after, facts.definitions, uid="d", namespace="one", operation=Operation.UPDATE, old=templates[0])


def _is_over(asked: Iterator[int], last: int) -> bool:
    return next(asked) >= last


def test_the_deadline_is_asked_all_along_and_ends_the_decision_wherever_it_is() -> None:
    world, request = _review_of_a_template()
    facts = world.facts()
    asked = count()
    whole = decide(request, facts, DEFAULT, Phase.VALIDATE, expired=lambda: next(asked) < 0)
    looks = next(asked)
    assert not any(entry.reason.startswith("only the first") for entry in whole.unchecked)
    # The deadline is checked between the steps and the rules, before each dependent, and at templates.
    assert looks > 150
    for last in range(0, looks, 10):
        asked = count()
        decision = decide(request, world.facts(), DEFAULT, Phase.VALIDATE, expired=partial(_is_over, asked, last))
        told = [entry.reason for entry in decision.unchecked]
        assert any("the deadline passed" in reason or "since the time ran out" in reason for reason in told), last
        # Once it has passed, it is hardly checked again.
        assert next(asked) <= last + 3
