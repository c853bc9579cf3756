"""The prefetch can't download what the source names.

The prefetch's Job runs the same downloader as a pod of the service. Without `files` that downloader hands the source
itself to curl, which knows no ``hf://``: the Job fails, and with it the Model and all its services (upstream's own
sample of a prefetch does so). A page of huggingface.co is fetched as a page, which no engine can load; then this only
warns.

Source: LLMKube v0.9.19, internal/controller/model_prefetch.go and model_storage.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.resolve.model.prefetch import fault
from policies.families.llmkube.resolve.model.state import prefetches
from policies.families.llmkube.subject.fileset import declares_files
from policies.families.llmkube.subject.source import parse
from policies.fields import flag, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    model = request.object
    if not isinstance(model, dict) or not flag(spec_of(model), "prefetch") or declares_files(model):
        return  # files that can't be staged are LLMKUBE-010's
    operator = operator_for(request, facts, config)
    source = parse(text(spec_of(model), "source"), operator)
    problem = fault(model, operator) if prefetches(model, source, operator) else ""
    if problem:
        finding = RULE.finding(
            ("spec", "prefetch"),
            problem,
            found=source.text,
            hint="list what to fetch in spec.files, or leave prefetch out and let the engine fetch the repository",
        )
        yield finding if source.text.startswith("hf://") else replace(finding, severity=Severity.WARNING)


RULE = Rule(
    id="LLMKUBE-023",
    name="prefetch-cannot-download",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_prefetch.go",
    reads=("Deployment.apps",),
    is_about_failure=True,
    check=_check,
    good="source: hf://org/model\nfiles: [model.gguf]\nprefetch: true",
    bad="source: hf://org/model\nprefetch: true",
)
