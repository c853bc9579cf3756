"""An amount of cpu or memory is no quantity, on which the operator panics at every reconcile.

`resources.cpu`, `memory` and `hostMemory` are plain texts to the CRD. What the operator can't parse stops it short of Deployment,
Service and status: the service just never appears. `memory` isn't read beside `hostMemory`. Of `ephemeralStorage` it drops
what it can't parse, silently, and an amount of 0 evicts the pods; both only warn.

Source: LLMKube v0.9.19 internal/controller/deployment_builder.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.quantity import Quantity, must_parse_panic
from policies.request import Request


def _nearest(value: str) -> str:
    """The quantity that was perhaps meant: `4GB` for 4G, `16 GiB` for 16Gi; empty where none suggests itself."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kKmMgGtT])(i?)[bB]?\s*", value)
    if found is None:
        return ""
    near = f"{found[1]}{found[2].upper() if found[3] or found[2] not in 'kK' else 'k'}{found[3]}"
    return "" if must_parse_panic(near) else near


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    asked = part(serving.spec, "resources")
    if serving.is_metal:
        return
    yield from _storage(text(asked, "ephemeralStorage"))
    for field in ("cpu", "hostMemory" if text(asked, "hostMemory") else "memory"):
        value = text(asked, field)
        if value and must_parse_panic(value):
            near = _nearest(value)
            yield RULE.finding(
                ("spec", "resources", field),
                f'"{value}" is not a quantity; the operator panics on it and makes neither Deployment nor status',
                found=value,
                expected="a quantity such as 500m or 16Gi",
                hint=f"write {near}" if near else "",
            )


def _storage(value: str) -> Iterator[Finding]:
    """What comes of an amount of disk that the CRD's pattern lets through: the operator doesn't fail on it."""
    path = ("spec", "resources", "ephemeralStorage")
    if value and must_parse_panic(value):
        finding = RULE.finding(
            path,
            f'"{value}" is not a quantity; the operator ignores it, so the pods neither request nor limit disk',
            found=value,
            expected="a quantity such as 20Gi",
        )
        yield replace(finding, severity=Severity.WARNING)
    elif value and Quantity.parse(value).sign() == 0:
        finding = RULE.finding(
            path,
            f'"{value}" is 0, so the pods are evicted as soon as they write',
            found=value,
            expected="a quantity such as 20Gi",
        )
        yield replace(finding, severity=Severity.WARNING)


RULE = Rule(
    id="LLMKUBE-062",
    name="amount-unreadable",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/deployment_builder.go",
    reads=("Model",),
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nresources: {cpu: '4', memory: 16Gi}",
    bad="modelRef: gguf\nresources: {cpu: '4', memory: 16GB}",
)
