"""The image has another engine than the one that `runtime` names.

The operator writes the command line of `runtime`. vLLM's image stops at llama.cpp's flags, and llama.cpp's image has no `vllm` program to
start. Known are the images that the projects publish, also from a mirror. Change `runtime` or the image; with a `command` of your own
nothing is said.

Source: LLMKube v0.9.19, internal/controller/runtime_*.go; upstream issue 1164.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.engines.command_line import ENGINE_OF_RUNTIME
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.families.serving_engines.engines import published_engine
from policies.findings import Finding, Severity
from policies.request import Request

_RUNTIMES: Final = {"llama.cpp": "llamacpp", "vLLM": "vllm", "SGLang": "sglang", "TGI": "tgi"}
#: SGLang's images once had vLLM in them.
_MAY_HAVE_BOTH: Final = ("vLLM", "SGLang")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    engine, published = ENGINE_OF_RUNTIME.get(serving.runtime, ""), published_engine(serving.image)
    if serving.pod_model is None or not engine or not published or engine == published or serving.spec.get("command"):
        return
    runtime = _RUNTIMES.get(published, "generic")
    finding = RULE.finding(
        ("spec", "image"),
        f"{serving.image} has {published} in it, but runtime {serving.runtime} starts {engine}",
        found=published,
        expected=f"an image of {engine}",
        hint=f"set runtime to {runtime}, or take an image of {engine}",
    )
    yield replace(finding, severity=Severity.WARNING) if (engine, published) == _MAY_HAVE_BOTH else finding


RULE = Rule(
    id="LLMKUBE-172",
    name="image-of-another-engine",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_llamacpp.go",
    reads=("Deployment.apps", "Model"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nimage: ghcr.io/ggml-org/llama.cpp:server-cuda-b10068",
    bad="modelRef: gguf\nimage: docker.io/vllm/vllm-openai:v0.25.1",
)
