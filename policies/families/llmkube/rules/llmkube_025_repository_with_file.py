"""The source of a repository has a third part, as if a file could be named there.

A repository of Hugging Face is OWNER/NAME. Upstream takes ``hf://OWNER/NAME/model.gguf`` for the name of a repository:
it is Ready at once, and engine or downloader then ask for a repository that doesn't exist. The file belongs into
`files`.

Source: LLMKube v0.9.19, internal/controller/source.go; upstream's config/samples/model_prefetch.yaml shows the form.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.subject.source import SourceKind, parse
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    written = text(spec_of(request.object), "source")
    if written.removeprefix("hf://").count("/") < 2:
        return
    source = parse(written, operator_for(request, facts, config))
    parts = [part for part in source.repository.split("/") if part]
    if source.kind is not SourceKind.REPOSITORY or len(parts) < 3:
        return
    repository, file = "/".join(parts[:2]), "/".join(parts[2:])
    revision = f"@{source.revision}" if source.revision else ""
    yield RULE.finding(
        ("spec", "source"),
        f'"{source.repository}" is not a repository; write OWNER/NAME, and the file in files',
        found=source.text,
        nearest=f"source hf://{repository}{revision} with files [{file}]",
    )


RULE = Rule(
    id="LLMKUBE-025",
    name="repository-with-file",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/source.go",
    reads=("Deployment.apps",),
    check=_check,
    good="source: hf://org/model\nfiles: [model.gguf]",
    bad="source: hf://org/model/model.gguf",
)
