"""A Service of llmaz has the Playground's name and isn't its own.

The Playground stops there. Services of Kubernetes don't matter.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.playground import is_name_taken
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE
from policies.findings import Finding, Severity
from policies.request import Request

TAKEN: Final = """
---
apiVersion: inference.llmaz.io/v1alpha1
kind: Service
metadata: {name: example, namespace: default}
spec: {modelClaims: {models: [{name: opt}]}, workloadTemplate: {workerTemplate: {spec: {containers: [{name: model-runner}]}}}}"""


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    if is_name_taken(reading, facts):
        message = "a Service of llmaz has this name and belongs to nobody or to somebody else"
        yield RULE.finding(("metadata", "name"), message, found=reading.name, hint="take another name")


RULE = Rule(
    id="LLMAZ-045",
    name="playground-name-taken",
    severity=Severity.ERROR,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    mirrors="Playground owns the same name with an existing Service",
    reads=("BackendRuntime", "ConfigMap/llmaz-global-config", "OpenModel.llmaz.io", "Service"),
    is_about_failure=True,
    beside=BESIDE + TAKEN,
    check=_check,
    good="metadata: {name: free}\nspec: {modelClaim: {modelName: opt}}",
    bad="metadata: {name: example}\nspec: {modelClaim: {modelName: opt}}",
)
