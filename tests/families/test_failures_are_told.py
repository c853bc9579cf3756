"""If an operator can't go on with an object, a finding says so at every door: one of a rule about failures, or WB-003."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final

import pytest

from tests.families.examples import decided, example_facts, example_request, examples
from tests.families.failing import Failing, failing, situations
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families import families, family_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.rule import Concern, Violation
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.pods.validation.deployment import deployment_errors
from weighbridge.policies.verdict import prediction
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.policies.verdict.prediction import FAILS

#: Failures that no rule of a family reports.
_OF_OME = "ConfigMap inferenceservice-config"
UNTOLD = {
    "llmaz": {"globel configs not init"},
    # Settings of the manager, which stop it for every service.
    "ome": {
        f"OME's webhook refuses every service: {why}"
        for why in (
            f"deploy of {_OF_OME} isn't JSON that OME can read",
            f"defaultDeploymentMode in deploy of {_OF_OME} is empty, and OME takes RawDeployment or Serverless",
        )
    }
    # Annotations or settings of addresses.
    | {"the address 'example-engine.default.Shop_1' isn't a domain name of two or more parts"},
}
#: Families whose predictions never fail.
NEVER_FAILING: Final[frozenset[str]] = frozenset()


def by_family() -> dict[str, list[Failing]]:
    found = defaultdict(list)
    for one in failing():
        found[one.family.name].append(one)
    return found


def test_every_failure_is_a_finding_at_every_door() -> None:
    for one in failing():
        at_doors = [one.decision(phase) for phase in (Phase.WHOLE, Phase.VALIDATE)]
        for decision in at_doors:
            # Findings that the configuration switches off, or about references that may be missing, aren't shown.
            speaks = [finding for finding in decision.findings if finding.rule == FAILS or one.family.speaks_of_failure(finding.rule)]
            assert speaks or one.config != DEFAULT, one.id
        assert len({tuple(sorted({finding.rule for finding in decision.findings} & {FAILS})) for decision in at_doors}) == 1, one.id


def untold() -> dict[str, set[str]]:
    """By family the failures that no rule of the family reports."""
    left = defaultdict(set)
    for one in failing():
        if FAILS in {finding.rule for finding in one.decision().findings}:
            left[one.family.name].add(one.failure)
    return left


def test_only_some_failures_have_no_rule_of_their_own() -> None:
    assert [(family, failure) for family, found in untold().items() for failure in found - UNTOLD.get(family, set())] == []


@pytest.mark.usefixtures("shared")
def test_each_of_these_is_recorded() -> None:
    assert untold() == UNTOLD


def test_each_family_that_predicts_has_failures() -> None:
    silent = {family.name for family in families() if family.predict} - by_family().keys()
    differing = ", ".join(sorted(silent ^ NEVER_FAILING))
    assert not differing, f"{differing}: add a case whose prediction has a failure, or correct NEVER_FAILING"


def test_each_rule_about_failures_is_about_one() -> None:
    silent = []
    for family in families():
        own = by_family().get(family.name, [])
        said = {finding.rule for one in own for finding in one.decision().findings}
        silent += [rule.id for rule in family.rules() if Concern.FAILURE in rule.about and rule.id not in said]
    assert silent == []


def test_no_deployment_is_predicted_that_the_api_server_refuses() -> None:
    wrong = []
    for name, request, facts, config in situations():
        family = family_of(request.gvk.group)
        resolve = family.predict.get(request.gvk.kind) if family is not None else None
        made = resolve(request, facts, config) if resolve is not None else None
        deployments = [obj for obj in made.objects if obj["kind"] == "Deployment"] if made is not None else []
        # An image that KServe takes from its runtime isn't known if the model isn't.
        errors = [error for obj in deployments for error in deployment_errors(obj) if not error.field.endswith("].image")]
        wrong += [(name, str(error)) for error in errors]
    assert wrong == []


def _untold(effective: Prediction, *said: tuple[str, Severity]) -> list[tuple[Severity, str]]:
    """The finding on a failure of an InferenceService of LLMKube in addition to those of rules."""
    family = next(family for family in families() if family.name == "llmkube")
    rule = next(rule for rule in family.rules() if rule.id == "LLMKUBE-061")
    request = example_request(family, rule, examples(rule).good)
    findings = [replace(rule.finding(Violation((), "x")), rule=name, severity=severity) for name, severity in said]
    told = prediction.untold_failure(request, effective, findings, example_facts(rule), DEFAULT, family)
    return [(finding.severity, str(finding)) for finding in told]


@pytest.mark.parametrize(
    ("weight", "said", "is_told"),
    [
        (Severity.WARNING, [], True),
        (Severity.WARNING, [("LLMKUBE-061", Severity.ERROR)], False),
        (Severity.WARNING, [("LLMKUBE-061", Severity.WARNING)], False),
        (Severity.WARNING, [("LLMKUBE-061", Severity.NOTE)], True),
        # A finding of a rule about another topic.
        (Severity.WARNING, [("LLMKUBE-064", Severity.ERROR)], True),
        (Severity.ERROR, [("LLMKUBE-061", Severity.WARNING)], True),
        (Severity.NOTE, [("LLMKUBE-061", Severity.WARNING)], False),
    ],
)
def test_a_failure_is_told_unless_a_rule_about_failures_says_as_much(
    weight: Severity, said: list[tuple[str, Severity]], is_told: bool
) -> None:
    message = "spec: the operator creates nothing for it: it breaks"
    assert _untold(Prediction({}, failure="it breaks", weight=weight), *said) == ([(weight, message)] if is_told else [])


def test_nothing_is_told_of_what_waits_or_is_made() -> None:
    assert _untold(Prediction({}, waits="the agent")) == []
    made = Prediction({}, objects=[{"kind": "ConfigMap"}], failure="it breaks")
    assert _untold(made) == [(Severity.WARNING, "spec: the operator comes no further: it breaks")]


def test_what_failed_before_an_update_only_warns() -> None:
    family = next(family for family in families() if family.name == "llmkube")
    rule = next(rule for rule in family.rules() if rule.id == "LLMKUBE-061")
    bad, good = (example_request(family, rule, text) for text in (examples(rule).bad, examples(rule).good))
    facts, found = example_facts(rule), []
    for old in (bad, good):
        request = replace(bad, operation=Operation.UPDATE, old_object=old.object)
        effective = family.predict["InferenceService"](request, facts, DEFAULT)
        found += [finding.severity for finding in prediction.untold_failure(request, effective, [], facts, DEFAULT, family)]
    assert found == [Severity.WARNING, Severity.ERROR]


def test_a_rule_that_is_switched_off_takes_the_failure_with_it() -> None:
    family = next(family for family in families() if family.name == "llmkube")
    rule = next(rule for rule in family.rules() if rule.id == "LLMKUBE-061")
    assert decided(family, rule, examples(rule).bad, rules={"LLMKUBE-061": "off"}).findings == ()  # type: ignore[arg-type]
    request, facts = example_request(family, rule, "modelRef: nothing"), example_facts(rule)
    assert {finding.rule for finding in decide(request, facts, DEFAULT).findings} == {"LLMKUBE-047"}
    assert decided(family, rule, "modelRef: nothing", references="off").findings == ()
