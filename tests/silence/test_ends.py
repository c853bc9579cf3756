"""Ignores with a last day: they hold until its end, and are reported as findings afterwards. The tests set the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.silence.objects import EXAMPLES
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.config.ignores import Ignore, read_ignore
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.cache import inputs
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.inputs.manifest_reader import read_sources
from weighbridge.webhook.inputs.requests import request_of
from weighbridge.webhook.manifests import Source
from weighbridge.webhook.report import Result
from weighbridge.webhook.settings.values import Settings
from weighbridge.webhook.silence.run import Silencer

LAST_SECOND = datetime(2027, 1, 31, 23, 59, 59, tzinfo=UTC)
END = datetime(2027, 2, 1, tzinfo=UTC)
SAID = "the team knows until 2027-01-31"


def judged(text: str, moment: datetime, config: Configuration = DEFAULT) -> list[tuple[str, str, str]]:
    """The findings on the one object of a text at a moment: rule, severity, hint."""
    reading = read_sources([Source("m.yaml", text.encode())])
    (manifest,) = reading.manifests
    facts = load_facts(given=[manifest.value])
    standing = config.at(moment)
    request = request_of(manifest.value, facts.definitions, uid="u", namespace="default")
    decision = decide(request, facts, standing)
    result = Result.judged(manifest, decision.findings, unchecked=list(decision.unchecked))
    silencer = Silencer([manifest], reading.names, Settings(), standing, ["default"])
    ((_, found),) = silencer.as_written(iter([(manifest, result)]))
    return [(located.finding.rule, str(located.finding.severity), located.finding.hint) for located in found.findings]


@pytest.mark.parametrize("form", ["comment", "annotation"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_it_holds_until_the_end_of_its_last_day(example: tuple[str, str], form: str) -> None:
    (chosen,) = [each for each in EXAMPLES if each == example]
    said = f"[{chosen.rule}] {SAID}"
    text = (
        chosen.written(comment=f" # weighbridge: ignore{said}")
        if form == "comment"
        else chosen.written(metadata=f"\n  annotations: {{weighbridge.dev/ignore: '{said}'}}")
    )
    before = {rule: severity for rule, severity, _ in judged(text, LAST_SECOND)}
    assert (before[chosen.rule], "WB-011" in before) == ("note", False)
    after = {rule: (severity, hint) for rule, severity, hint in judged(text, END)}
    assert after[chosen.rule][0] in {"error", "warning"}
    assert "what ignored this rule here ended on 2027-01-31 (the team knows)" in after[chosen.rule][1]
    assert after["WB-011"][0] == "warning"


def test_a_kept_run_is_bounded_by_the_end() -> None:
    recorded = inputs.record()
    try:
        judged(EXAMPLES[0].written(comment=f" # weighbridge: ignore[LLMKUBE-001] {SAID}"), LAST_SECOND)
        assert recorded.until == END.timestamp()
        judged(EXAMPLES[0].written(comment=" # weighbridge: ignore[LLMKUBE-001] x until 2026-12-31T18:00:00Z"), LAST_SECOND)
        assert recorded.until == END.timestamp()
    finally:
        inputs._recorded = None


def test_a_time_ends_at_that_time() -> None:
    found = read_ignore("[A-001] why until 2027-01-31T18:00:00+01:00")
    assert isinstance(found, Ignore)
    end = datetime(2027, 1, 31, 17, tzinfo=UTC)
    assert (found.end, found.holds(end - timedelta(seconds=1)), found.holds(end), found.holds(None)) == (end, True, False, False)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_the_webhook_takes_an_annotation_only_of_rules_that_the_configuration_lets_objects_ignore(example: tuple[str, str]) -> None:
    (chosen,) = [each for each in EXAMPLES if each == example]
    reading = read_sources(
        [Source("m.yaml", chosen.written(metadata=f"\n  annotations: {{weighbridge.dev/ignore: '[{chosen.rule}] {SAID}'}}").encode())]
    )
    (manifest,) = reading.manifests
    facts = load_facts(given=[manifest.value])
    family = chosen.rule.partition("-")[0]

    def at(moment: datetime, **settings: object) -> tuple[bool, Severity, str]:
        request = request_of(manifest.value, facts.definitions, uid="u", namespace="default", operation=Operation.CREATE)
        decision = decide(request, facts, parse(settings).at(moment), Phase.VALIDATE)
        (found,) = [finding for finding in decision.findings if finding.rule == chosen.rule]
        return decision.allowed, found.severity, found.exempted

    usual = at(LAST_SECOND)
    assert (usual[1] is Severity.NOTE, usual[2]) == (False, "")
    assert at(LAST_SECOND, ownExceptions=["WB-002"]) == usual
    allowed = at(LAST_SECOND, ownExceptions=[f"{family}-*"])
    assert allowed == (True, Severity.NOTE, f"{SAID} (weighbridge.dev/ignore)")
    assert at(END, ownExceptions=[chosen.rule]) == usual


def test_a_configuration_that_names_rules_forbids_the_others_in_lint() -> None:
    text = EXAMPLES[0].written(comment=f" # weighbridge: ignore[LLMKUBE-001] {SAID}")
    for rules, severity in (["LLMKUBE-085"], "error"), ([], "error"), (["LLMKUBE-*"], "note"):
        found = {rule: weight for rule, weight, _ in judged(text, LAST_SECOND, parse({"ownExceptions": rules}))}
        assert (found["LLMKUBE-001"], "WB-012" in found) == (severity, severity == "error")
