"""`make demo` shows the same value for a field everywhere: it sends the webhook what kube-apiserver sends for `kubectl apply`."""

from __future__ import annotations

import json

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.programs.demo.__main__ import CLUSTER, EXAMPLES, as_sent, review
from tests.yaml_documents import read_all


@pytest.mark.parametrize("name", ["intel-model.yaml"])
def test_the_webhook_fills_in_what_the_command_line_does(name: str) -> None:
    path, cluster = ROOT / EXAMPLES / "manifests" / name, str(ROOT / CLUSTER)
    (manifest,) = read_all(path.read_text())
    sent = as_sent(manifest)
    assert sent["spec"]["hardware"]["accelerator"] == "cpu"
    of_review = json.loads(run("dry-run", "--reviews", "-", "--cluster", cluster, text=review(sent).decode() + "\n").stdout)
    of_manifest = json.loads(run("dry-run", str(path), "--cluster", cluster, "-o", "jsonl").stdout)
    assert of_review["object"]["spec"] == of_manifest["object"]["spec"]
    assert of_review["object"]["spec"]["hardware"]["accelerator"] == "intel"
