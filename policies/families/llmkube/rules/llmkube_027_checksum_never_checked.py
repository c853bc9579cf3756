"""The checksum is never compared with what is downloaded.

`sha256` is only looked at where the operator itself copies a file, which it does for local sources alone. Whatever an
init container or an engine fetches isn't checked, so the field promises an integrity that nothing verifies.

Source: LLMKube v0.9.19, internal/controller/model_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.resolve.model.state import on_metal
from policies.families.llmkube.subject.source import SourceKind, parse
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    if not text(spec, "sha256"):
        return
    source = parse(text(spec, "source"), operator_for(request, facts, config))
    if source.kind is not SourceKind.LOCAL or on_metal(request.object or {}):
        yield RULE.finding(
            ("spec", "sha256"),
            f'is never checked, since the operator doesn\'t download "{source.text}" itself',
            hint="pin the version in the source, such as hf://OWNER/NAME@COMMIT",
        )


RULE = Rule(
    id="LLMKUBE-027",
    name="checksum-never-checked",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_controller.go",
    reads=("Deployment.apps",),
    check=_check,
    good="source: https://example.com/model.gguf",
    bad="source: https://example.com/model.gguf\nsha256: " + "ab" * 32,
)
