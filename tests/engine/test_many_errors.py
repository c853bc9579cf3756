"""An object with very many errors: its refusal is bounded, and the words of two long lists aren't compared with each other."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.counted_calls import calls_of
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.spelling import MOST_SEARCHED, Similar, close_matches
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.policies.verdict.judgement import shortened
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.inputs.requests import request_of

_DEFINITIONS = bundled_definitions()


def _router(count: int, wrong: str = "none") -> JSONObject:
    """A router with so many backends, and with as many rules that name none of them."""
    backends = [{"name": f"backend-{at:05}", "inferenceServiceRef": {"name": f"service-{at}"}} for at in range(count)]
    match = {"taskComplexity": "simple"}
    rules = [{"name": f"rule-{at}", "match": match, "route": {"backends": [f"{wrong}-{at}"]}} for at in range(count)]
    return {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "ModelRouter",
        "metadata": {"name": "router", "namespace": "default"},
        "spec": {"backends": backends, "rules": rules},
    }


def _decided(obj: JSONObject, expired: Iterable[bool] = ()) -> Decision:
    answers = iter(expired)
    request = request_of(obj, _DEFINITIONS, uid="d", namespace="default")
    return decide(request, from_objects([], _DEFINITIONS), DEFAULT, Phase.VALIDATE, expired=lambda: next(answers, False))


def test_twice_as_many_unknown_backends_are_twice_the_work() -> None:
    # The first run imports and compiles.
    _, least, less, more = (calls_of(lambda size=size: _decided(_router(size))) for size in (2400, 600, 1200, 2400))  # type: ignore[misc]
    assert more - less <= 2.2 * (less - least)


def test_refusal_lists_the_first_hundred_errors() -> None:
    decision = _decided(_router(150))
    assert len([finding for finding in decision.findings if finding.rule == "LLMKUBE-104"]) == 150
    assert decision.message.count("(LLMKUBE-104") == 100
    assert decision.message.endswith("; and 50 more errors, which weighbridge dry-run lists")
    assert len(decision.causes) == 100


def test_long_error_is_cut() -> None:
    decision = _decided(_router(1, "x" * 5000))
    assert 2000 < len(decision.message) < 7000
    assert " more characters" in decision.message
    assert shortened("x" * 2000) == "x" * 2000
    assert shortened("x" * 2001) == "x" * 2000 + "... and 1 more character"


def test_only_the_first_words_are_compared() -> None:
    near = Similar(["backend"])
    assert [near.to("bakend") for _ in range(MOST_SEARCHED + 1)] == ["backend"] * MOST_SEARCHED + [""]


@pytest.mark.parametrize(("word", "found"), [("name-0001x", ["name-0001"]), ("mane-0001", [])])
def test_of_very_many_words_those_that_begin_alike_are_compared(word: str, found: list[str]) -> None:
    assert close_matches(word, [*(f"other-{at}" for at in range(1000)), "name-0001"], n=1, cutoff=0.8) == found
