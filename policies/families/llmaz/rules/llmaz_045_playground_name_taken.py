"""A Service of llmaz has the Playground's name and isn't its own.

The Playground stops there. Services of Kubernetes don't matter.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmaz.predictions.playground import is_name_taken
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Serving, Violation, services

TAKEN: Final = """
---
apiVersion: inference.llmaz.io/v1alpha1
kind: Service
metadata: {name: example, namespace: default}
spec: {modelClaims: {models: [{name: opt}]}, workloadTemplate: {workerTemplate: {spec: {containers: [{name: model-runner}]}}}}"""


@services.error(
    kinds=("Playground",),
    about=FAILURE,
    mirrors="Playground owns the same name with an existing Service",
    reads=("BackendRuntime", "ConfigMap/llmaz-global-config", "OpenModel.llmaz.io", "Service"),
    good="accepts-a-name-that-is-free",
    bad="refuses-the-name-of-a-service",
)
def check(serving: Serving, given: Given) -> Said:
    if is_name_taken(serving, given.facts):
        message = "a Service of llmaz has this name and belongs to nobody or to somebody else"
        yield Violation(("metadata", "name"), message, found=serving.name, hint="take another name")
