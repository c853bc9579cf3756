"""A BackendRuntime is not there.

The controller fails again and again, and the Playground gets no condition. Without a name it is `vllm` that is looked for.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.families.llmaz.subject.references import RUNTIMES
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    if reading.choice is None:
        return
    name = reading.choice.runtime
    if reading.is_runtime_missing or not name:
        path = ("spec", "backendRuntimeConfig", "backendName")
        message = f"BackendRuntime {name} isn't there" if name else "the name of the BackendRuntime is empty"
        yield RULE.finding(
            path, message, found=name, nearest=RUNTIMES.nearest(facts, "", name), hint="create it, or name one that is there"
        )
    elif reading.runtime is None:
        yield RULE.unchecked(RUNTIMES.unknown)


RULE = Rule(
    id="LLMAZ-028",
    name="runtime-missing",
    severity=Severity.WARNING,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    mirrors="BackendRuntime.inference.llmaz.io not found",
    reads=CLAIM_READS,
    is_about_reference=True,
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaim: {modelName: opt}\nbackendRuntimeConfig: {backendName: sglang}",
)
