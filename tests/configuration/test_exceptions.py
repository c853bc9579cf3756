"""Exceptions: what they match, when they end, and that the index over thousands finds the same as a search through all."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.configuration.objects import SERVICE, configured, finding, request
from weighbridge.policies.config.exceptions import ExceptionMatch, Exceptions, RuleException, read_end
from weighbridge.policies.config.selection import LabelExpression, LabelSelector
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.judgement import audit_annotations, enforce

NOW = datetime(2026, 6, 30, 12, tzinfo=UTC)
ADA = {"username": "system:serviceaccount:team-a:ada", "groups": ["team-a", "dev"]}


def exempted(match: dict[str, object], asked: Request, rule: str = "LLMKUBE-001", **more: object) -> bool:
    """Whether an exception with this match turns an error into a note."""
    entry = {"rules": ["LLMKUBE-*"], "match": match, "reason": "as agreed", **more}
    (found,) = enforce([finding(rule)], parse({"exceptions": [entry]}).at(NOW), asked)
    assert (found.severity is Severity.NOTE) == (found.exempted == "as agreed")
    return bool(found.exempted)


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ({"names": ["m"]}, True),
        ({"names": ["other"]}, False),
        ({"names": ["m*"]}, True),
        ({"names": ["*m"]}, True),
        ({"kinds": ["Model"]}, True),
        ({"kinds": ["Model.inference.llmkube.dev"]}, True),
        ({"kinds": ["InferenceService"]}, False),
        ({"namespaces": ["team-a"]}, True),
        ({"namespaces": ["team-*"], "names": ["n", "m"]}, True),
        ({"namespaces": ["team-b"], "names": ["m"]}, False),
        ({"labelSelector": {"matchLabels": {"tier": "lab"}}}, True),
        ({"labelSelector": {"matchLabels": {"tier": "lab", "a": "b"}}}, False),
        ({"labelSelector": {"matchExpressions": [{"key": "tier", "operator": "In", "values": ["lab", "x"]}]}}, True),
        ({"labelSelector": {"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["lab"]}]}}, False),
        ({"labelSelector": {"matchExpressions": [{"key": "tier", "operator": "Exists"}]}}, True),
        ({"labelSelector": {"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}}, False),
        ({"users": ["system:serviceaccount:team-a:*"]}, True),
        ({"users": ["root"]}, False),
        ({"groups": ["dev"]}, True),
        ({"groups": ["ops"]}, False),
    ],
)
def test_every_criterion_that_is_given_must_hold(match: dict[str, object], expected: bool) -> None:
    assert exempted(match, request(labels={"tier": "lab"}, user_info=ADA)) is expected


@pytest.mark.parametrize("match", [{"users": ["*"]}, {"groups": ["*"]}])
def test_what_asks_for_a_user_is_never_met_where_none_is_known(match: dict[str, object]) -> None:
    assert not exempted(match, request())


def test_an_object_that_has_no_name_yet_is_not_meant_by_name() -> None:
    assert not exempted({"names": ["*"]}, request(name=""))


def test_two_exceptions_are_never_put_together() -> None:
    entries = [
        {"rules": ["LLMKUBE-001"], "match": {"names": ["m"], "namespaces": ["team-b"]}, "reason": "one"},
        {"rules": ["LLMKUBE-001"], "match": {"names": ["n"], "namespaces": ["team-a"]}, "reason": "two"},
    ]
    (found,) = enforce([finding()], parse({"exceptions": entries}), request())
    assert found.severity is Severity.ERROR


def test_an_exception_from_another_rule_changes_nothing() -> None:
    assert not exempted({"names": ["m"]}, request(), rule="GIE-001")


@pytest.mark.parametrize(
    ("expires", "end"),
    [
        ("2026-06-30", datetime(2026, 7, 1, tzinfo=UTC)),
        ("2026-06-30T12:00:00Z", NOW),
        ("2026-06-30T14:00:00+02:00", NOW),
        ("2026-06-30t12:00:00.123456789z", NOW.replace(microsecond=123456)),
    ],
)
def test_a_date_holds_to_its_end_and_a_time_to_the_second(expires: str, end: datetime) -> None:
    assert read_end(expires) == end


@pytest.mark.parametrize("expires", ["", "soon", "2026-02-30", "2026-1-1", "2026-01-01T10:00:00", "2026-01-01 10:00:00Z", "20260101"])
def test_what_is_no_date_is_none(expires: str) -> None:
    with pytest.raises(ValueError):
        read_end(expires)


def test_one_that_has_ended_counts_no_more_and_the_finding_says_so() -> None:
    entry = {"rules": ["LLMKUBE-001"], "match": {"names": ["m"]}, "reason": "until June", "expires": "2026-06-30"}
    config = parse({"exceptions": [entry]})
    (then,) = enforce([finding()], config.at(NOW), request())
    (after,) = enforce([finding()], config.at(NOW.replace(month=7)), request())
    assert (then.severity, then.exempted) == (Severity.NOTE, "until June")
    assert (after.severity, after.exempted) == (Severity.ERROR, "")
    assert after.hint == "an exception from this rule ended on 2026-06-30 (until June)"


def test_one_that_ends_does_not_count_where_the_time_is_not_known() -> None:
    entry = {"rules": ["LLMKUBE-001"], "match": {"names": ["m"]}, "reason": "r", "expires": "2999-01-01"}
    (found,) = enforce([finding()], parse({"exceptions": [entry]}), request())
    assert found.severity is Severity.ERROR


def test_the_next_to_end_is_known() -> None:
    entries = [
        {"rules": ["*"], "match": {"names": ["a"]}, "reason": "r", "expires": day} for day in ("2026-01-01", "2026-08-01", "2026-07-01")
    ]
    config = parse({"exceptions": [*entries, {"rules": ["*"], "match": {"names": ["b"]}, "reason": "r"}]}).at(NOW)
    assert config.next_end == datetime(2026, 7, 2, tzinfo=UTC)
    assert [index for index, _ in config.expired] == [0]


def test_what_is_only_audited_or_switched_off_needs_no_exception() -> None:
    entry = {"rules": ["*"], "match": {"names": ["m"]}, "reason": "r"}
    (found,) = enforce([finding()], parse({"exceptions": [entry], "rules": {"LLMKUBE-001": "audit"}}), request())
    assert found.exempted == ""
    assert enforce([finding()], parse({"exceptions": [entry], "rules": {"LLMKUBE-001": "off"}}), request()) == []


def test_the_audit_log_is_told_the_reason() -> None:
    entry = {"rules": ["LLMKUBE-001"], "match": {"names": ["m"]}, "reason": "as agreed"}
    found = enforce([finding(), finding("GIE-001")], parse({"exceptions": [entry]}), request())
    assert audit_annotations(found) == {"rules": "GIE-001,LLMKUBE-001", "exempted": "LLMKUBE-001: as agreed"}


def test_the_first_that_holds_gives_the_reason(tmp_path: Path) -> None:
    text = "exceptions:\n" + "".join(f"- {{rules: ['*'], match: {{names: [m]}}, reason: number {number}}}\n" for number in range(3))
    (found,) = enforce([finding()], configured(tmp_path, text), request())
    assert found.exempted == "number 0"


def _any_exception(dice: random.Random) -> RuleException:
    def some(names: list[str]) -> list[str]:
        return dice.sample(names, dice.choice([0, 0, 1, 2]))

    selector = LabelSelector(
        dict.fromkeys(some(["l1", "l2"]), "x"),
        [LabelExpression(key, dice.choice(["Exists", "DoesNotExist"])) for key in some(["l1", "l3"])],
    )
    match = ExceptionMatch(
        some(["Model", "Model.inference.llmkube.dev", "InferenceService"]),
        some(["team-a", "team-*", "*", "*-a", "prod"]),
        some(["m", "m*", "*m", "*o*", "model"]),
        selector,
        some(["ada", "a*", "bob"]),
        some(["dev", "d*", "ops"]),
    )
    return RuleException(some(["LLMKUBE-001", "LLMKUBE-*", "GIE-001"]) or ["*"], match, "r")


def test_the_index_finds_what_looking_at_each_finds() -> None:
    dice = random.Random(6)
    entries = [_any_exception(dice) for _ in range(400)]
    index = Exceptions(entries)
    hits = 0
    for _ in range(400):
        asked = request(
            dice.choice(["m", "model", "xm", "o", ""]),
            dice.choice(["team-a", "team-b", "prod", ""]),
            dice.choice([SERVICE, request().gvk]),
            {key: dice.choice(["x", "y"]) for key in dice.sample(["l1", "l2", "l3"], dice.randrange(3))},
            dice.choice([None, {"username": dice.choice(["ada", "bob"]), "groups": ["dev"]}, {"username": 5, "groups": "no list"}]),
        )
        rule = dice.choice(["LLMKUBE-001", "GIE-001", "PLACE-001"])
        found = list(index.matching(rule, asked))
        assert found == [entry for entry in entries if entry.excepts(rule, asked)]
        hits += len(found)
    assert hits > 1000


@pytest.mark.parametrize(
    "match",
    [
        lambda n: ExceptionMatch(names=[f"m{n}"], namespaces=["team-a"]),
        lambda n: ExceptionMatch(names=["m*"], namespaces=[f"team-{n}"]),
        lambda n: ExceptionMatch(namespaces=["team-a"], names=[f"m{n}-*"]),
        lambda n: ExceptionMatch(namespaces=[f"team-{n}-*"]),
        lambda n: ExceptionMatch(namespaces=[f"*-{n}"]),
        lambda n: ExceptionMatch(kinds=["Model"], label_selector=LabelSelector({"app": f"a{n}"})),
        lambda n: ExceptionMatch(kinds=["Model"], users=[f"u{n}"]),
    ],
)
def test_of_ten_thousand_only_a_few_are_looked_at(match: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(match)
    entries = [RuleException(["LLMKUBE-001"], match(number), "r") for number in range(10_000)]
    index = Exceptions(entries)
    looked_at: list[RuleException] = []
    monkeypatch.setattr(RuleException, "excepts", lambda entry, *_: looked_at.append(entry))
    asked = request("m77-x", "team-77-x", labels={"app": "a77"}, user_info={"username": "u77"})
    assert list(index.matching("LLMKUBE-001", asked)) == []
    assert len(looked_at) <= 2
