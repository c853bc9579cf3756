"""TGI is given a model that is no Hugging Face repository.

The operator never stages weights for TGI: it hands over the source as it is written. A claim, a bucket or a URL is nothing that TGI
could fetch, and picked `files` aren't looked at.

Source: LLMKube v0.9.19 internal/controller/runtime_tgi.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.engines.served_source import served_source
from policies.families.llmkube.rules._examples import REPOSITORY_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request

_UNREADABLE: Final = re.compile(r"(?:pvc|s3|https?|file)://")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None or serving.runtime != "tgi" or serving.spec.get("command"):
        return
    if not _UNREADABLE.match(served_source(serving.source.text, serving.operator)):
        return
    yield RULE.finding(
        ("spec", "modelRef"),
        f'tgi is given "{serving.source.text}" as its model, but can fetch only repositories of Hugging Face',
        found=serving.source.text,
        expected="a Model with source OWNER/REPOSITORY",
        hint="use runtime vllm or llamacpp, for which the operator brings the weights into the pod",
    )


RULE = Rule(
    id="LLMKUBE-080",
    name="tgi-needs-repository",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_tgi.go",
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
    good="modelRef: repo\nruntime: tgi",
    bad="modelRef: claimed\nruntime: tgi",
)
