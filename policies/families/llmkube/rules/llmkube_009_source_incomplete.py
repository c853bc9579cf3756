"""The source passes the CRD's pattern but names nothing that can be fetched.

`pvc://` needs a claim and a path in it, `s3://` a bucket and a key, `hf://` a repository, `file://` an absolute path; a
bare word without a slash is taken for a URL and fails on its missing scheme. The operator finds out at reconcile, or
the pod does when it starts.

Source: LLMKube v0.9.19, internal/controller/source.go and model_controller.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request

_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_HOSTED = ("https://huggingface.co/", "http://huggingface.co/")


def _fault(source: str) -> str:
    scheme, mark, rest = source.partition("://")
    if not mark:
        bare = not source.startswith("/") and "/" not in source
        return "has neither scheme nor slash: write https://, hf://, s3:// or pvc://, an absolute path, or OWNER/REPOSITORY" if bare else ""
    first, _, second = rest.partition("/")
    if scheme == "pvc":
        if not (first and second.strip("/ ")):
            return "lacks a part: pvc://CLAIM/PATH"
        return "" if _SUBDOMAIN.fullmatch(first) else f'names no claim: "{first}" is no DNS subdomain'
    if scheme == "s3":
        return "" if first.strip() and second.strip("/ ") else "lacks a part: s3://BUCKET/KEY"
    if scheme == "hf":
        return _repository_fault(rest)
    if scheme == "file":
        return "" if rest.startswith("/") else "is not absolute: file:///PATH"
    if source.startswith(_HOSTED) and second.startswith(("datasets/", "spaces/")):
        return "is a page of Hugging Face that holds no model"
    return "names no host" if not first or first.startswith(":") else ""


def _repository_fault(rest: str) -> str:
    repository, at, revision = rest.partition("@")
    if not repository.strip("/ "):
        return "names no repository: hf://OWNER/REPOSITORY"
    if at and not revision:
        return "names no revision behind the @"
    return "has a space in it" if any(char.isspace() for char in rest) else ""


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
