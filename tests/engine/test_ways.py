"""Every way of a request: each step has its inputs, its declared inputs and outputs are true, and the documentation lists the steps."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, get_args, get_type_hints

import pytest

from tests.conftest import ROOT
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.deadline import DeadlineExceededError
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.rule import Given, Said, given_object
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict import engine
from weighbridge.policies.verdict.engine import WAYS, About, Phase, decide
from weighbridge.policies.verdict.way import Body, Context, Found, Judged, Results, Ruled, Step, Way, walk
from weighbridge.webhook.inputs.facts import bundled_definitions

PAGE = (ROOT / "docs" / "architecture.md").read_text()
STEPS = {step.run.__name__: step for way in WAYS.values() for step in way}
MODEL = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")


def unmet(way: Way) -> list[str]:
    """The inputs of a way's steps that no earlier step gives."""
    given: set[type[Any]] = set()
    missing = []
    for step in way:
        missing += [f"{step.run.__name__} needs {need.__name__}" for need in step.needs if need not in given]
        given |= {step.gives} if step.gives is not None else set()
    return missing


@pytest.mark.parametrize("way", WAYS.values(), ids=[f"{about}-{phase}" for about, phase in WAYS])
def test_a_step_needs_only_what_an_earlier_step_of_its_way_gives(way: Way) -> None:
    assert unmet(way) == []


def test_a_way_without_the_step_that_gives_a_need_is_noticed() -> None:
    whole = WAYS[About.OBJECT, Phase.WHOLE]
    assert unmet(tuple(step for step in whole if step.gives is not Judged)) == [
        "demand needs Judged",
        "predict needs Judged",
        "judge needs Judged",
        "govern needs Judged",
        "affect needs Judged",
        "tell needs Judged",
    ]


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_takes_and_gives_what_it_says(step: Step) -> None:
    hints = get_type_hints(step.run)
    given = hints.pop("return")
    assert tuple(hints.values()) == (Context, Found, *step.needs)
    assert {kind for kind in get_args(given) or (given,) if kind is not type(None)} == ({step.gives} if step.gives is not None else set())


@pytest.mark.parametrize("form", [Context, Body, Judged, Ruled])
def test_what_is_given_does_not_change(form: Any) -> None:
    assert issubclass(form, tuple) or form.__dataclass_params__.frozen


def test_an_object_has_a_way_for_every_door() -> None:
    assert {phase for about, phase in WAYS if about is About.OBJECT} == set(Phase)


def test_a_step_is_passed_over_where_a_need_was_not_given() -> None:
    taken: list[str] = []

    def undecodable(_given: Context, _found: Found) -> Body | None:
        taken.append("undecodable")
        return None

    def next_one(_given: Context, _found: Found, _body: Body) -> None:
        taken.append("next")

    def last_one(_given: Context, _found: Found) -> None:
        taken.append("last")

    results: Results = {}
    given = Context(Request("r", Operation.CREATE, MODEL), from_objects([], bundled_definitions()), DEFAULT, is_offline=True)
    walk((Step(undecodable, gives=Body), Step(next_one, needs=(Body,)), Step(last_one)), given, Found(), results)
    assert (taken, results) == (["undecodable", "last"], {Body: None})


def rows(heading: str) -> list[list[str]]:
    """The cells of the table of the page below a row of headings."""
    found = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def test_the_page_has_every_way() -> None:
    written = {(about, phase.strip("`")): steps for about, phase, _, steps in rows("what it is about")}
    assert written == {(str(about), str(phase)): ", ".join(step.run.__name__ for step in way) for (about, phase), way in WAYS.items()}


def test_the_page_has_every_step() -> None:
    written = {name.strip("*"): (needs, gives) for name, _, needs, gives in rows("step")}
    assert written == {
        name: (", ".join(f"`{need.__name__}`" for need in step.needs), f"`{step.gives.__name__}`" if step.gives is not None else "")
        for name, step in STEPS.items()
    }


@pytest.mark.parametrize("error", [None, DeadlineExceededError, KeyError])
def test_what_is_remembered_for_a_request_goes_with_its_verdict(error: type[Exception] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Request] = []

    def judge(_subject: object, given: Given) -> Said:
        asked.append(given.request)
        assert given.request.once("key", lambda: "first") == "first"
        yield from ()

    def broken(*args: Any) -> None:
        walk(*args)
        if error is not None:
            raise error

    rule = FAMILY.rules()[0]
    monkeypatch.setattr(Family, "rules_for", lambda _self, _kind: (replace(rule, read=given_object, judge=judge, takes_given=True),))
    monkeypatch.setattr(engine, "walk", broken)
    obj = {"apiVersion": MODEL.api_version, "kind": "Model", "metadata": {"name": "m"}, "spec": {"source": "https://a.test/m.gguf"}}
    request = Request("r", Operation.CREATE, MODEL, obj, name="m")
    request.once("key", lambda: "before")
    decide(request, from_objects([], bundled_definitions()), DEFAULT, Phase.VALIDATE)
    assert [each.once("key", lambda: "afterwards") for each in (request, *asked)] == ["afterwards", "afterwards"]
