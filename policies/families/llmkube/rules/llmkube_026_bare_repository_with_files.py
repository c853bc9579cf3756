"""Files are to be staged from a bare OWNER/REPOSITORY, which the downloader has no address for.

Only ``hf://`` and pages of huggingface.co are turned into an address. A bare OWNER/REPOSITORY goes to curl as it is
written, which takes the owner for a host: the init container fails, unless the service skips it (`skipModelInit`) and
its engine fetches the repository by itself.

Source: LLMKube v0.9.19, internal/controller/source.go and model_storage.go, measured: MODEL_SOURCE is ``org/name``.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.subject.fileset import declares_files
from policies.families.llmkube.subject.source import parse
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict) or not declares_files(request.object):
        return
    source = parse(text(spec_of(request.object), "source"), operator_for(request, facts, config))
    if source.is_bare:
        yield RULE.finding(
            ("spec", "source"),
            f'the init container takes "{source.text.partition("/")[0]}" of "{source.text}" for a host, and the download fails',
            found=source.text,
            nearest=f"hf://{source.text}",
        )


RULE = Rule(
    id="LLMKUBE-026",
    name="bare-repository-with-files",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_storage.go",
    reads=("Deployment.apps",),
    check=_check,
    good="source: hf://org/model\nfiles: [model.gguf]",
    bad="source: org/model\nfiles: [model.gguf]",
)
