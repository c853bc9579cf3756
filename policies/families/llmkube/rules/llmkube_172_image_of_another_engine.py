"""The image has another engine than the one in `runtime`.

The operator writes the command line for the engine in `runtime`. vLLM's image fails at llama.cpp's flags, and llama.cpp's image has no
`vllm` program to start. The rule knows the images that the projects publish, also in a mirror, and is silent if the service sets its own
`command`. Change `runtime` or the image.

Source: LLMKube v0.9.19, internal/controller/runtime_*.go; upstream issue 1164.
"""

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.command_line import ENGINE_OF_RUNTIME
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Severity, Violation, with_model
from weighbridge.policies.families.serving_engines.engines import published_engine

_RUNTIMES: Final = {"llama.cpp": "llamacpp", "vLLM": "vllm", "SGLang": "sglang", "TGI": "tgi"}
#: SGLang's images once had vLLM in them.
_MAY_HAVE_BOTH: Final = ("vLLM", "SGLang")


@with_model.error(topic="Services: images", good="accepts-another-image-with-a-command", bad="refuses-the-image-of-another-engine")
def check(service: Service) -> Said:
    engine, published = ENGINE_OF_RUNTIME.get(service.runtime, ""), published_engine(service.image)
    if not engine or published in {"", engine} or service.spec.get("command"):
        return
    runtime = _RUNTIMES.get(published, "generic")
    yield Violation(
        ("spec", "image"),
        f"{service.image} has {published} in it, but runtime {service.runtime} starts {engine}",
        found=published,
        expected=f"an image of {engine}",
        hint=f"set runtime to {runtime}, or use an image of {engine}",
        severity=Severity.WARNING if (engine, published) == _MAY_HAVE_BOTH else None,
    )
