"""The image has another engine than the one that `runtime` names.

The operator writes the command line of `runtime`. vLLM's image stops at llama.cpp's flags, and llama.cpp's image has no `vllm` program to
start. Known are the images that the projects publish, also from a mirror. Change `runtime` or the image; with a `command` of your own
nothing is said.

Source: LLMKube v0.9.19, internal/controller/runtime_*.go; upstream issue 1164.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.command_line import ENGINE_OF_RUNTIME
from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.serving_engines.engines import published_engine
from weighbridge.policies.ground.findings import Severity

_RUNTIMES: Final = {"llama.cpp": "llamacpp", "vLLM": "vllm", "SGLang": "sglang", "TGI": "tgi"}
#: SGLang's images once had vLLM in them.
_MAY_HAVE_BOTH: Final = ("vLLM", "SGLang")


@services.error(
    reads=("Deployment.apps", "Model"),
    good="accepts-another-image-with-a-command",
    bad="refuses-the-image-of-another-engine",
)
def check(serving: Serving) -> Said:
    engine, published = ENGINE_OF_RUNTIME.get(serving.runtime, ""), published_engine(serving.image)
    if serving.pod_model is None or not engine or not published or engine == published or serving.spec.get("command"):
        return
    runtime = _RUNTIMES.get(published, "generic")
    finding = Violation(
        ("spec", "image"),
        f"{serving.image} has {published} in it, but runtime {serving.runtime} starts {engine}",
        found=published,
        expected=f"an image of {engine}",
        hint=f"set runtime to {runtime}, or take an image of {engine}",
    )
    yield replace(finding, severity=Severity.WARNING) if (engine, published) == _MAY_HAVE_BOTH else finding
