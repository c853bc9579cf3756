"""Results made from real texts, and reports as text."""

from __future__ import annotations

import io

from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.records import replace
from weighbridge.webhook.cli.around.failing import failures_of
from weighbridge.webhook.manifests import Manifest, Standing, documents, manifests, standing
from weighbridge.webhook.report import Report, Result, Style
from weighbridge.webhook.report.parts.results import Summary
from weighbridge.webhook.report.text import TextReport
from weighbridge.webhook.settings.values import Failing

MODEL = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: llama
  namespace: shop
spec:
  source: s3://models/llama
  hardware:
    gpu:
      count: 12
      vendor: nvidia
  quantization: Q4
"""

TOO_MANY = Finding(
    rule="LLMKUBE-003",
    severity=Severity.ERROR,
    path=("spec", "hardware", "gpu", "count"),
    message="more GPUs than any node has",
    found="12",
    expected="at most 8",
    nearest="node gpu-1 with 8",
    hint="lower the count, or shard the model over several pods with spec.hardware.gpu.sharding",
)
NO_MEMORY = Finding("LLMKUBE-007", Severity.WARNING, ("spec", "hardware", "gpu", "memory"), "no memory is set")
NO_INVENTORY = Unchecked("hardware", "no inventory is known")


def result_of(text: str, *findings: Finding, source: str = "models/llama.yaml", unchecked: list[Unchecked] | None = None) -> Result:
    """The result of a text's only object."""
    (document,) = documents(source, text.encode())
    if standing(document) is Standing.UNREADABLE:
        return Result.unread(document.issues[0], document)
    (manifest,) = manifests(document)
    assert isinstance(manifest, Manifest)
    return Result.judged(manifest, findings, issues=document.issues, unchecked=unchecked or [])


def failing(result: Result, *fail_on: str) -> Result:
    """A result with what of it makes the exit code 1, for words of `--fail-on`."""
    return replace(result, fails=failures_of(result, Failing.of(fail_on)))


def written(*results: Result, style: Style | None = None, summary: Summary | None = None) -> str:
    """The output of the text report."""
    stream = io.StringIO()
    report: Report = TextReport(stream, style or Style())
    for result in results:
        report.write(result)
    if summary is not None:
        report.finish(summary)
    return stream.getvalue()
