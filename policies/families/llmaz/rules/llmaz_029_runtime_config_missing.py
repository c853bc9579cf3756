"""A runtime has no recommended configuration of the name that is looked for.

Without `configName` it is `default`, or with a draft `speculative-decoding`. The controller fails again and again, and the Playground
gets no condition.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.resolve.runtime import config_names
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    if reading.choice is None or reading.runtime is None or reading.config is not None:
        return
    choice, names = reading.choice, config_names(reading.runtime)
    message = f"BackendRuntime {choice.runtime} has no configuration {choice.config or 'with an empty name'}"
    path = ("spec", "backendRuntimeConfig", "configName")
    yield RULE.finding(path, message, found=choice.config, nearest=similar(choice.config, names, otherwise=4))


RULE = Rule(
    id="LLMAZ-029",
    name="runtime-config-missing",
    severity=Severity.ERROR,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    mirrors="failed to parse backendRuntime",
    reads=CLAIM_READS,
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaim: {modelName: opt}\nbackendRuntimeConfig: {configName: fast}",
)
