"""The prefetch can't download what the source names.

The prefetch's Job runs the same downloader as a pod of the service. Without `files` that downloader hands the source
itself to curl, which knows no ``hf://``: the Job fails, and with it the Model and all its services (upstream's own
sample of a prefetch does so). A page of huggingface.co is fetched as a page, which no engine can load; then this only
warns.

Source: LLMKube v0.9.19, internal/controller/model_prefetch.go and model_storage.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.predictions.model.prefetch import fault
from weighbridge.policies.families.llmkube.predictions.model.state import prefetches
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.fileset import declares_files
from weighbridge.policies.families.llmkube.subject.source import parse
from weighbridge.policies.ground.fields import flag, text
from weighbridge.policies.ground.findings import Severity


@objects.error(
    kinds=("Model",),
    about=FAILURE,
    reads=("Deployment.apps",),
    good="accepts-a-prefetch-of-files",
    bad="refuses-a-prefetch-that-curl-cannot-do",
)
def check(given: Given) -> Said:
    model = given.object
    if not flag(spec_of(model), "prefetch") or declares_files(model):
        return  # files that can't be staged are LLMKUBE-010's
    operator = operator_for(*given)
    source = parse(text(spec_of(model), "source"), operator)
    problem = fault(model, operator) if prefetches(model, source, operator) else ""
    if problem:
        finding = Violation(
            ("spec", "prefetch"),
            problem,
            found=source.text,
            hint="list what to fetch in spec.files, or leave prefetch out and let the engine fetch the repository",
        )
        yield finding if source.text.startswith("hf://") else replace(finding, severity=Severity.WARNING)
