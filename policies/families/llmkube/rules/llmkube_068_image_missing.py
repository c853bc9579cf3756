"""The runtime has no image of its own, and the service names none.

Runtimes generic and personaplex start whatever `spec.image` says. Without it the API server refuses the Deployment, and the
operator tells no more than `Failed to create Deployment`.

Source: LLMKube v0.9.19 internal/controller/runtime_generic.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services

_WITHOUT: Final = frozenset({"generic", "personaplex"})


@services.error(
    about=FAILURE,
    mirrors="phase Failed, Failed to create Deployment",
    reads=("Deployment.apps", "Model"),
    good="fills-the-port-of-personaplex",
    bad="refuses-personaplex-without-an-image",
)
def check(serving: Serving) -> Said:
    if not serving.is_metal and serving.runtime in _WITHOUT and not serving.image:
        yield Violation(("spec", "image"), f"runtime {serving.runtime} has no default image", expected="an image", hint="set spec.image")
