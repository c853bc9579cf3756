"""The prefetch can't download what the source names.

The prefetch's Job runs the same downloader as a pod of the service. Without `files` that downloader passes the source
to curl, which doesn't know ``hf://``. The Job fails, and with it the Model and all its services; upstream's own sample
of a prefetch fails in this way. If the source is a page of huggingface.co, curl fetches the page itself, which no
engine can load; then the rule only warns.

Source: LLMKube v0.9.19, internal/controller/model_prefetch.go; internal/controller/model_storage.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.predictions.model.prefetch import fault
from weighbridge.policies.families.llmkube.predictions.model.state import prefetches
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Model, Said, Severity, Violation, flag, sources
from weighbridge.policies.families.llmkube.subject.fileset import declares_files

_HINT: Final = "list what to fetch in spec.files, or leave prefetch out and let the engine fetch the repository"


@sources.error(
    topic="Models: source, files and download",
    about=FAILURE,
    good="accepts-a-prefetch-of-files",
    bad="refuses-a-prefetch-that-curl-cannot-do",
)
def check(model: Model) -> Said:
    # LLMKUBE-010 is about files that can't be staged.
    if not flag(model.spec, "prefetch") or declares_files(model.object):
        return
    source = model.source
    problem = fault(model.object, model.operator) if prefetches(model.object, source, model.operator) else ""
    if problem:
        severity = None if source.text.startswith("hf://") else Severity.WARNING
        yield Violation(("spec", "prefetch"), problem, found=source.text, hint=_HINT, severity=severity)
