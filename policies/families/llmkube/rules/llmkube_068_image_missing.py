"""The runtime has no image of its own, and the service names none.

Runtimes generic and personaplex start whatever `spec.image` says. Without it the API server refuses the Deployment, and the
operator tells no more than `Failed to create Deployment`.

Source: LLMKube v0.9.19 internal/controller/runtime_generic.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request

_WITHOUT: Final = frozenset({"generic", "personaplex"})


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if not serving.is_metal and serving.runtime in _WITHOUT and not serving.image:
        yield RULE.finding(("spec", "image"), f"runtime {serving.runtime} has no default image", expected="an image", hint="set spec.image")


RULE = Rule(
    id="LLMKUBE-068",
    name="image-missing",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_generic.go",
    mirrors="phase Failed, Failed to create Deployment",
    reads=("Deployment.apps", "Model"),
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nruntime: generic\nimage: ghcr.io/org/server:v1.2.3",
    bad="modelRef: gguf\nruntime: generic",
)
