"""Policies at the three doors, in reports, in metrics, and in cached answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.user_policies.parts import CLUSTER, SERVICE, asked, configured, facts, policy
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.server.metrics import Metrics

CONFIG = """apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
policies:
- id: POLICY-001
  name: one-gpu
  description: |
    A service asks for more GPUs than one.

    The lab has few.
  match: {kinds: [InferenceService.inference.llmkube.dev]}
  validations:
  - expression: effective.gpus <= 1
    messageExpression: "'asks for ' + string(effective.gpus) + ' GPUs'"
    fieldPath: .spec.replicas
"""
MESSAGE = "spec.replicas: asks for 2 GPUs"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the manifest, the cluster and the configuration."""
    for name, text in {"config": CONFIG, "service": SERVICE.lstrip(), "cluster": CLUSTER.lstrip()}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return tmp_path


def options(folder: Path) -> list[str]:
    """The options that name the manifest, the cluster and the configuration."""
    return [str(folder / "service.yaml"), "--cluster", str(folder / "cluster.yaml"), "--config", str(folder / "config.yaml")]


def test_dry_run_and_lint_refuse_and_lint_says_where(folder: Path) -> None:
    dry = run("dry-run", *options(folder))
    assert dry.returncode == 1
    assert f"error[POLICY-001] {MESSAGE}" in dry.stdout
    lint = run("lint", *options(folder))
    assert lint.returncode == 1
    assert f"service.yaml:4:35: error[POLICY-001] {MESSAGE}" in lint.stdout


def test_the_webhook_refuses_and_counts(folder: Path) -> None:
    import yaml

    config, metrics = configured(*yaml.safe_load(CONFIG)["policies"]), Metrics()
    request = asked()
    decision = decide(request, facts(), config, Phase.VALIDATE)
    assert (decision.allowed, decision.code) == (False, 403)
    assert decision.causes == [{"reason": "FieldValueInvalid", "message": "POLICY-001: asks for 2 GPUs", "field": "spec.replicas"}]
    assert decision.audit_annotations["rules"].split(",") == sorted({finding.rule for finding in decision.findings})
    metrics.decided(Phase.VALIDATE, request, decision, 0.001)
    assert metrics.registry.get_sample_value("weighbridge_findings_total", {"rule": "POLICY-001", "result": "deny"}) == 1.0


def test_sarif_describes_the_policy(folder: Path) -> None:
    report = json.loads(run("lint", *options(folder), "-o", "sarif").stdout)
    rules = {rule["id"]: rule for rule in report["runs"][0]["tool"]["driver"]["rules"]}
    assert rules["POLICY-001"]["name"] == "OneGpu"
    assert rules["POLICY-001"]["shortDescription"]["text"] == "A service asks for more GPUs than one."
    assert "The lab has few." in rules["POLICY-001"]["help"]["text"]


def test_a_comment_and_an_option_ignore_a_policy(folder: Path) -> None:
    assert "POLICY-001" not in run("lint", *options(folder), "--ignore", "POLICY-001").stdout
    path = folder / "service.yaml"
    path.write_text(f"# weighbridge: ignore[POLICY-001] it is measured\n{path.read_text()}")
    assert run("lint", *options(folder)).returncode == 0


def test_another_policy_is_another_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    assert [run("lint", *options(folder)).returncode for _ in range(2)] == [1, 1]
    path = folder / "config.yaml"
    path.write_text(path.read_text().replace("<= 1", "<= 2"))
    assert [run("lint", *options(folder)).returncode for _ in range(2)] == [0, 0]


@pytest.mark.parametrize(("expression", "is_asked"), [("now.getFullYear() > 2000", True), ("'know' != ''", False)])
def test_a_policy_that_asks_for_the_time_makes_no_answer_that_is_kept(expression: str, is_asked: bool) -> None:
    config = configured(policy(expression))
    assert config.policies is not None
    assert config.policies.asks_for_the_time is is_asked
