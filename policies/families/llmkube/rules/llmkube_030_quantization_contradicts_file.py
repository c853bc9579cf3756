"""The quantization names another one than the file does.

`spec.quantization` is never read: what is served is the file. Where the file's name carries a quantization and the
field another, one of them misleads whoever reads the Model.

Source: LLMKube v0.9.19, internal/controller, which never reads the field.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.fileset import file_set
from policies.families.weights import quantization_in
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    stated = quantization_in(text(spec, "quantization"))
    file = file_set(request.object).primary if isinstance(request.object, dict) else ""
    held = quantization_in(file or text(spec, "source"))
    if stated and held and stated != held:
        yield RULE.finding(
            ("spec", "quantization"),
            f'{stated} has no effect; the file is {held}: "{file or text(spec, "source")}"',
            found=text(spec, "quantization"),
            expected=held,
        )


RULE = Rule(
    id="LLMKUBE-030",
    name="quantization-contradicts-file",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller",
    check=_check,
    good="source: https://example.com/llama-8b-q4_k_m.gguf\nquantization: Q4_K_M",
    bad="source: https://example.com/llama-8b-q4_k_m.gguf\nquantization: Q8_0",
)
