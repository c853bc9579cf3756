"""The files are no GGUF, but the format says so.

Without `format` the CRD writes `gguf`. For vLLM and SGLang the format decides what they are given: with `gguf` the
first file, with any other the folder with all files, which a model in safetensors needs.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; upstream issue 1157.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.fileset import file_set
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request

_FORMATS = {".safetensors": "safetensors", ".bin": "pytorch", ".pt": "pytorch"}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict) or text(spec_of(request.object), "format", "gguf") != "gguf":
        return
    files = file_set(request.object).files
    held = next((form for file in files for end, form in _FORMATS.items() if file.endswith(end)), "")
    if held and not any(file.endswith(".gguf") for file in files):
        yield RULE.finding(
            ("spec", "format"),
            f'is gguf, so vLLM and SGLang load only "{files[0]}" and not the folder with all files',
            found="gguf",
            expected=held,
        )


RULE = Rule(
    id="LLMKUBE-037",
    name="format-contradicts-files",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/deployment_builder.go",
    check=_check,
    good="source: hf://org/model\nformat: safetensors\nfiles: [config.json, model.safetensors]",
    bad="source: hf://org/model\nfiles: [config.json, model.safetensors]",
)
