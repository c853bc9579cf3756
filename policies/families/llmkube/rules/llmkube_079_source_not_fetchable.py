"""The engine is to fetch the model by itself, from a source that it can't read.

With `skipModelInit` vLLM and SGLang get the Model's source as it is written. They know Hugging Face repositories and folders of
their own container; a claim (pvc://), a file's URL or a URL of a page is none of these.

Source: LLMKube v0.9.19 internal/controller/runtime_vllm.go and source.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.defaults.model_download import FETCHING
from policies.families.llmkube.resolve.engines.served_source import served_source
from policies.families.llmkube.rules._examples import REPOSITORY_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import flag
from policies.findings import Finding, Severity
from policies.request import Request

_UNKNOWN: Final = ("pvc://", "http://", "https://", "file://")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if (
        serving.pod_model is None
        or serving.runtime not in FETCHING
        or not flag(serving.spec, "skipModelInit")
        or serving.spec.get("command")
    ):
        return
    argument = served_source(serving.source.text, serving.operator)
    if argument.startswith(_UNKNOWN):
        yield RULE.finding(
            ("spec", "skipModelInit"),
            f'{serving.runtime} is given "{argument}" as its model, which it can\'t read',
            found="true",
            expected="false",
            hint="remove skipModelInit, so that the operator brings the weights into the pod",
        )


RULE = Rule(
    id="LLMKUBE-079",
    name="source-not-fetchable",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_vllm.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        f"{REPOSITORY_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: claimed, namespace: default}\n"
        "spec: {source: pvc://models/m.gguf, hardware: {gpu: {count: 1}}}"
    ),
    check=_check,
    good="modelRef: repo\nruntime: vllm\nskipModelInit: true",
    bad="modelRef: claimed\nruntime: vllm\nskipModelInit: true",
)
