"""The source passes the CRD's pattern but names nothing that can be fetched.

`pvc://` needs a claim and a path in it, `s3://` a bucket and a key, `hf://` an owner and a repository; a bare word
without a slash is taken for a URL and fails on its missing scheme. The operator finds out at reconcile, or the pod does
when it starts.

Source: LLMKube v0.9.19, internal/controller/source.go and model_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request

_NEEDS = {
    "pvc": "pvc://CLAIM/PATH",
    "s3": "s3://BUCKET/KEY",
    "hf": "hf://OWNER/REPOSITORY",
}


def _fault(source: str) -> str:
    scheme, mark, rest = source.partition("://")
    if not mark:
        bare = not source.startswith("/") and "/" not in source
        return (
            "has neither scheme nor slash: an https://, hf://, s3:// or pvc:// source, an absolute path, or OWNER/REPOSITORY"
            if bare
            else ""
        )
    first, _, second = rest.partition("/")
    if scheme in _NEEDS and not (first.strip() and second.strip("/ ")):
        return f"lacks a part: {_NEEDS[scheme]}"
    return "names no host" if scheme in {"http", "https"} and not first else ""


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    source = spec_of(request.object).get("source")
    fault = _fault(source) if isinstance(source, str) else ""
    if fault:
        yield RULE.finding(("spec", "source"), f'"{source}" {fault}', found=str(source))


RULE = Rule(
    id="LLMKUBE-009",
    name="source-incomplete",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/source.go",
    mirrors="Model condition InvalidSource",
    check=_check,
    good="source: pvc://models/llama/model.gguf",
    bad="source: pvc://models",
)
