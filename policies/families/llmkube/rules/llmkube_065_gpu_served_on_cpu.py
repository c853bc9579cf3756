"""The pod holds a GPU, and its image computes on the CPU.

llama.cpp's plain `server` image has no GPU backend: the device is taken from everybody else and stays idle, and nothing says so.
Without `spec.image` an image for the GPU is filled in.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp.go; upstream issues 696, 1197.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.defaults.images import LLAMA_CPP
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.gpu import PodGpus
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request

_CPU: Final = re.compile(r"(?:[^/]+/)*gg(?:ml-org|erganov)/llama\.cpp:(?:server|full|light)(?:-b\d+)?(?:@.*)?")


def _held(gpus: PodGpus) -> str:
    return f"{gpus.count} {gpus.resource}" if gpus.count else "a claimed GPU"


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None or not serving.gpus.present or serving.runtime not in LLAMA_CPP or not _CPU.fullmatch(serving.image):
        return
    yield RULE.finding(
        ("spec", "image"),
        f"{serving.image} has no GPU backend, so the pod holds {_held(serving.gpus)} and computes on the CPU",
        found=serving.image,
        expected=f"an image for vendor {serving.gpus.vendor}",
        hint="remove spec.image; the right image is filled in" if serving.spec.get("image") else "set spec.image",
    )


RULE = Rule(
    id="LLMKUBE-065",
    name="gpu-served-on-cpu",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_llamacpp.go",
    reads=("Deployment.apps", "Model"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: gguf\nimage: ghcr.io/ggml-org/llama.cpp:server",
)
