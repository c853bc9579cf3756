"""An argument of the runtime asks for something that the claim doesn't have.

The path of a draft is there with a draft, the path of a model with an ID or an address. The controller fails again and again, and the
Playground gets no condition.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.resolve.runtime import arguments_of, rendered, variables_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    claims = reading.claims
    mains = sum(model.is_main for model in claims.models)
    is_whole = not (reading.missing or reading.unknown) and (not claims.has_draft or (len(claims.models), mains) == (2, 1))
    if reading.config is None or reading.choice is None or not reading.sources or not is_whole:
        return
    _, wrong = rendered(arguments_of(reading.config), variables_of(reading.sources, skips=reading.skips))
    if wrong:
        message = f"the argument {wrong} of BackendRuntime {reading.choice.runtime} can't be filled in for these models"
        hint = "claim a main model and a draft" if "Draft" in wrong else "give the model an ID, or take another configuration"
        yield RULE.finding(("spec", "backendRuntimeConfig", "configName"), message, found=reading.choice.config, hint=hint)


RULE = Rule(
    id="LLMAZ-030",
    name="argument-without-value",
    severity=Severity.ERROR,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    mirrors="missing flag or the flag has format error",
    reads=CLAIM_READS,
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaim: {modelName: opt}\nbackendRuntimeConfig: {configName: speculative-decoding}",
)
