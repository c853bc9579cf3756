"""A failure of the engine leads to a decision, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families import family
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.rule import Given, NotChecked, Rule, Said, Violation, given_object
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict import engine
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions

WARN = parse({"onError": "warn"})


def facts() -> Facts:
    return from_objects([], bundled_definitions())


def request(obj: JSONObject | None = None) -> Request:
    model = obj or {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "Model",
        "metadata": {"name": "m", "namespace": "default"},
        "spec": {"source": "pvc://models", "format": "gguf", "refreshPolicy": "IfNotPresent"},
    }
    gvk = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
    return Request("r", Operation.CREATE, gvk, model, namespace="default", name="m")


def _broken_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(_subject: object, _given: Given) -> Said:
        raise RuntimeError("secret detail")
        yield

    rules = FAMILY.rules()
    monkeypatch.setattr(
        Family, "rules_for", lambda _self, _kind: (replace(rules[0], read=given_object, judge=judge, takes_given=True), *rules[1:])
    )


def test_a_rule_that_fails_refuses_and_the_others_still_speak(monkeypatch: pytest.MonkeyPatch) -> None:
    _broken_rule(monkeypatch)
    decision = decide(request(), facts(), DEFAULT, Phase.VALIDATE)
    assert not decision.allowed
    assert [finding.rule for finding in decision.findings] == ["WB-000", "LLMKUBE-009"]
    assert "LLMKUBE-001" in decision.findings[0].message
    assert "secret detail" not in decision.message


@pytest.mark.parametrize(("said", "reason"), [(Violation((), "wrong", found=5), "found is 5"), (NotChecked(None), "reason is None")])  # type: ignore[arg-type]
def test_a_rule_whose_texts_are_no_text_has_failed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, said: Violation | NotChecked, reason: str
) -> None:
    rules = FAMILY.rules()
    wrong = replace(rules[0], read=given_object, judge=lambda _subject: [said], takes_given=False)
    monkeypatch.setattr(Family, "rules_for", lambda _self, _kind: (wrong, *rules[1:]))
    decision = decide(request(), facts(), DEFAULT)
    assert [finding.rule for finding in decision.findings] == ["WB-000", "LLMKUBE-009"]
    assert f"{reason}; write it as text" in caplog.text


@pytest.mark.parametrize("path", ["spec.source", ("spec", None), ["spec"]])
def test_a_rule_whose_path_is_no_path_has_failed(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: Any) -> None:
    rules = FAMILY.rules()
    wrong = replace(rules[0], read=given_object, judge=lambda _subject: [Violation(path, "wrong")], takes_given=False)
    monkeypatch.setattr(Family, "rules_for", lambda _self, _kind: (wrong, *rules[1:]))
    decision = decide(request(), facts(), DEFAULT)
    assert [finding.rule for finding in decision.findings] == ["WB-000", "LLMKUBE-009"]
    assert "write a tuple of names and indexes" in caplog.text


@pytest.mark.parametrize("failure", [SystemExit(3), GeneratorExit(), StopIteration(), RecursionError(), MemoryError()])
def test_a_rule_that_ends_the_program_has_failed(monkeypatch: pytest.MonkeyPatch, failure: BaseException) -> None:
    def judge(_subject: object) -> Said:
        raise failure

    rules = FAMILY.rules()
    wrong = replace(rules[0], read=given_object, judge=judge, takes_given=False)
    monkeypatch.setattr(Family, "rules_for", lambda _self, _kind: (wrong, *rules[1:]))
    decision = decide(request(), facts(), DEFAULT)
    assert [finding.rule for finding in decision.findings] == ["WB-000", "LLMKUBE-009"]


def test_a_rule_that_cannot_be_imported_is_named_and_the_others_still_speak(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    usual = family._rule

    def broken(module: str) -> Rule:
        if ".llmkube_001_" in module:
            raise ModuleNotFoundError("No module named 'absent'")
        return usual(module)

    family._rules_for.cache_clear()
    monkeypatch.setattr(family, "_rule", broken)
    try:
        decision = decide(request(), facts(), DEFAULT)
    finally:
        family._rules_for.cache_clear()
    assert [finding.rule for finding in decision.findings] == ["WB-000", "LLMKUBE-009"]
    assert "rule LLMKUBE-001 failed with ModuleNotFoundError" in decision.findings[0].message
    assert "No module named 'absent'" in caplog.text


@pytest.mark.parametrize(("config", "allowed"), [(DEFAULT, False), (WARN, True)])
def test_a_decision_that_cannot_be_written_is_the_configured_one(
    monkeypatch: pytest.MonkeyPatch, config: Configuration, *, allowed: bool
) -> None:
    def fail(*_: object) -> None:
        monkeypatch.undo()
        raise TypeError

    monkeypatch.setattr(engine, "first_errors", fail)
    monkeypatch.setattr(engine, "shortened", fail)
    decision = decide(request(), facts(), config)
    assert decision.allowed is allowed
    assert [finding.rule for finding in decision.findings] == ["WB-000"]
    assert "TypeError in the engine" in decision.findings[0].message


def test_a_rule_that_fails_only_warns_where_the_configuration_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    _broken_rule(monkeypatch)
    fine = request().object | {"spec": {"source": "https://example.com/m.gguf"}}
    decision = decide(request(fine), facts(), WARN, Phase.VALIDATE)
    assert decision.allowed
    assert decision.warnings[0].startswith("WB-000 ")


@pytest.mark.parametrize(("config", "allowed"), [(DEFAULT, False), (WARN, True)], ids=["deny", "warn"])
def test_a_deadline_that_has_passed_is_answered_by_the_mode(config: Configuration, allowed: bool) -> None:
    decision = decide(request(), facts(), config, Phase.VALIDATE, expired=lambda: True)
    assert decision.allowed is allowed
    assert "deadline" in (decision.message or decision.warnings[0])


@pytest.mark.parametrize(("config", "allowed"), [(DEFAULT, False), (WARN, True)], ids=["deny", "warn"])
def test_a_defect_is_answered_by_the_mode(config: Configuration, allowed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_group: str) -> Family:
        raise KeyError("defect")

    monkeypatch.setattr(engine, "family_of", broken)
    decision = decide(request(), facts(), config, Phase.MUTATE)
    assert decision.allowed is allowed
    assert decision.patch == ()
    assert decision.unchecked


@pytest.mark.parametrize("operation", [Operation.DELETE, Operation.CONNECT])
def test_a_deletion_is_never_held_back(operation: Operation) -> None:
    gvk = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
    for phase in Phase:
        assert decide(Request("r", operation, gvk, None, {"spec": {"source": "x"}}), facts(), DEFAULT, phase).allowed


def test_a_kind_that_is_not_known_is_not_judged() -> None:
    gvk = GroupVersionKind("example.com", "v1", "Kettle")
    decision = decide(Request("r", Operation.CREATE, gvk, {"spec": {}}), facts(), DEFAULT)
    assert decision.allowed
    assert decision.unchecked
