"""TGI is given a model that is no Hugging Face repository.

The operator never stages weights for TGI: it hands over the source as it is written. A claim, a bucket or a URL is nothing that TGI
could fetch, and picked `files` aren't looked at.

Source: LLMKube v0.9.19 internal/controller/runtime_tgi.go.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.served_source import served_source
from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services

_UNREADABLE: Final = re.compile(r"(?:pvc|s3|https?|file)://")


@services.error(
    reads=("Deployment.apps", "Model"),
    good="leaves-the-cuda-image-to-the-operator",
    bad="refuses-tgi-with-a-file",
)
def check(serving: Serving) -> Said:
    if serving.pod_model is None or serving.runtime != "tgi" or serving.spec.get("command"):
        return
    if not _UNREADABLE.match(served_source(serving.source.text, serving.operator)):
        return
    yield Violation(
        ("spec", "modelRef"),
        f'tgi is given "{serving.source.text}" as its model, but can fetch only repositories of Hugging Face',
        found=serving.source.text,
        expected="a Model with source OWNER/REPOSITORY",
        hint="use runtime vllm or llamacpp, for which the operator brings the weights into the pod",
    )
