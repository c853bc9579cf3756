"""A short run of the comparison with the real server, of which `make differential` makes a longer one; and the parts that it relies on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.__main__ import chosen
from tests.programs.differential.answers import Answer
from tests.programs.differential.body_text import Literally, Twice, body_text
from tests.programs.differential.both import Comparison
from tests.programs.differential.broken import BREAKERS
from tests.programs.differential.cases import Case, Shelf, cases
from tests.programs.differential.connection import Connections
from tests.programs.differential.generate import examples
from tests.programs.differential.minimise import minimised
from tests.programs.differential.report import example, kinds, summary
from tests.programs.differential.resources import Edition, editions, own_crds
from tests.programs.differential.run import Result, run, set_up
from tests.programs.differential.sites import Keyword
from tests.programs.differential.yaml_text import Style, yaml_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation

SEED = 7
REQUESTS = 300
CRDS = ["weighbridge.test", "models.inference.llmkube.dev", "inferencepools", "aimkvcaches"]


@pytest.mark.control_plane
def test_a_few_hundred_requests_get_the_same_answer(control_plane: ControlPlane) -> None:
    crds = chosen(CRDS)
    try:
        with Connections(control_plane) as connections:
            result = run(set_up(connections, crds, seed=SEED, stored=4), REQUESTS, SEED)
        assert "\n".join("\n".join(example(found, 1)) for found in result.differences) == ""
        assert result.requests == REQUESTS
        assert {200, 201, 400, 422} <= set(result.by_code)
    finally:
        control_plane.kubectl("delete", "crd", "--ignore-not-found", *(crd.name for crd in crds), check=True)


@pytest.fixture(scope="module")
def shelves() -> list[Shelf]:
    return [Shelf(edition) for crd in own_crds() for edition in editions(crd)]


@pytest.fixture(scope="module")
def edition(shelves: list[Shelf]) -> Edition:
    return shelves[0].edition


def test_a_seed_draws_the_same_cases_again(shelves: list[Shelf]) -> None:
    first, second, other = (
        [(body_text(case.body), case.validation, case.broken) for case in examples(cases(shelves), 50, seed)] for seed in (1, 1, 2)
    )
    assert first == second
    assert first != other


def test_every_keyword_has_a_place_and_a_way_to_be_broken(shelves: list[Shelf]) -> None:
    assert {keyword for shelf in shelves for keyword in shelf.edition.sites} == set(Keyword) == set(BREAKERS)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1.0, "a": [True, None]}, '{"a":[true,null],"b":1.0}'),
        ({"a": Literally("1e400")}, '{"a":1e400}'),
        ({"a": Twice({"b": 1}, "x"), "c": {}}, '{"a":{"b":1},"a":"x","c":{}}'),
        ([], "[]"),
    ],
)
def test_bodies_are_written_with_what_no_value_can_say(value: JSONValue, text: str) -> None:
    assert body_text(value) == text


@pytest.mark.parametrize(
    ("style", "text"),
    [
        (Style(), "a: 0x10\nb:\n- '1'\n- null\n"),
        (Style(flow=True), "{a: 0x10, b: ['1', null]}\n"),
        (Style(quotes='"'), '"a": 0x10\n"b":\n- "1"\n- !!null "null"\n'),
    ],
)
def test_manifests_are_written_in_a_style_and_with_scalars_that_stay_bare(style: Style, text: str) -> None:
    assert yaml_text({"a": Literally("0x10"), "b": ["1", None]}, style) == text


@pytest.fixture
def difference(edition: Edition) -> Comparison:
    """A disagreement about a field."""
    body: JSONObject = {"kind": "Probe", "metadata": {"name": "a", "labels": {"a": "b"}}, "spec": {"list": [1, {"bad": True}], "text": "x"}}
    return judged(Case(edition, Operation.CREATE, body, broken=("type",)))


def judged(case: Case) -> Comparison:
    """Both accept everything except objects with "bad" in them, which only one refuses."""
    text = body_text(case.body)
    theirs = Answer(422, "invalid: ", (("FieldValueInvalid", "spec.bad", "no good"),)) if "bad" in text else Answer(201)
    return Comparison(case, text, theirs, Answer(201))


def test_an_example_is_made_as_small_as_it_gets(difference: Comparison) -> None:
    assert minimised(difference, judged).case.body == {"spec": {"list": [{"bad": True}]}}


def test_an_example_shows_what_each_said(difference: Comparison) -> None:
    lines = list(example(difference, 3))
    assert lines[0] == "3 x CREATE probes.weighbridge.test/v1, Strict, broken: type"
    assert "  theirs: FieldValueInvalid spec.bad: no good" in lines
    assert "  ours:   201" in lines
    assert max(map(len, lines)) <= 80


def test_disagreements_of_one_origin_are_one_kind(difference: Comparison) -> None:
    longer = replace(difference, text=difference.text + " ")
    other = replace(difference, theirs=Answer(400, "unreadable"))
    assert kinds([longer, other, difference]) == [[difference, longer], [other]]


def test_a_summary_counts_by_crd_and_by_what_was_broken(difference: Comparison) -> None:
    result = Result()
    for comparison in (difference, replace(difference, ours=difference.theirs)):
        result.add(comparison)
    lines = list(summary(result))
    assert f"{'probes.weighbridge.test':<56}{2:>8}{1:>8}{1:>8}" in lines
    assert f"{'type':<56}{2:>8}{1:>8}{1:>8}" in lines
    assert lines[-1] == "2 requests, 1 of them answered differently"
    assert max(map(len, lines)) <= 80
