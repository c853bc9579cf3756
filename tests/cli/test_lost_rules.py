"""The output of the command line if the cluster's CRD has lost checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.engine.test_crd_rules import BOTH, crd, model, without_rules
from weighbridge.webhook.cli.commands import cli
from weighbridge.webhook.texts.yaml_text import yaml_text

LACKS = (
    "the installed CRD of Model lacks 2 checks of v0.9.19, so the webhook makes them: spec.hardware.gpu.resourceClaims"
    " (x-kubernetes-validations), spec.hardware.gpu (x-kubernetes-validations)"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cluster with such a CRD, and two Models."""
    stripped = without_rules(without_rules(crd(), "hardware.gpu"), "hardware.gpu.resourceClaims")
    (tmp_path / "cluster.yaml").write_text(yaml_text(stripped))
    good = model(resourceClaims=[])
    good["metadata"]["name"] = "good"
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "models.yaml").write_text("---\n".join(yaml_text(obj) for obj in (model(), good)))
    return tmp_path


def run(command: str, folder: Path, *options: str) -> str:
    """The output of a command about the Models."""
    arguments = [command, str(folder / "models"), "--cluster", str(folder / "cluster.yaml"), *options]
    return CliRunner().invoke(cli, arguments, standalone_mode=False, env={"COLUMNS": "200"}).stdout


def test_dry_run_says_it_once_for_a_kind(folder: Path) -> None:
    text = " ".join(run("dry-run", folder, "-v").split())
    assert text.count(LACKS) == 1
    refusal = f'denied the request: Model.inference.llmkube.dev "m" is invalid: spec.hardware.gpu: Invalid value: {BOTH}'
    assert refusal in text


def test_dry_run_says_it_in_each_record(folder: Path) -> None:
    records = [json.loads(line) for line in run("dry-run", folder, "-o", "jsonl").splitlines()]
    assert [record["allowed"] for record in records] == [False, True]
    assert [record["crd"]["lacks"][0]["field"] for record in records] == ["spec.hardware.gpu.resourceClaims"] * 2


def test_lint_says_it_once_for_a_kind(folder: Path) -> None:
    text = run("lint", folder)
    assert text.count(LACKS) == 1
    assert f"error[K8S-003] spec.hardware.gpu: Invalid value: {BOTH}" in text


def test_lint_says_it_in_each_result(folder: Path) -> None:
    results = json.loads(run("lint", folder, "-o", "json"))["results"]
    assert [result["crd"]["kind"] for result in results] == ["Model", "Model"]


def test_nothing_is_said_where_the_webhook_makes_no_checks(folder: Path) -> None:
    (folder / "config.yaml").write_text("apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\ncrdRules: never\n")
    options = ("--config", str(folder / "config.yaml"))
    assert "lacks" not in run("dry-run", folder, *options)
    assert "crd" not in json.loads(run("lint", folder, "-o", "json", *options))["results"][0]
