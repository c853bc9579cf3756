"""The image's tag doesn't identify one image.

A tag such as latest or server-cuda may name another image next week: pods of one service then differ, and you can't find
out what ran yesterday. Write a tag that is never moved, or a digest.

Source: LLMKube v0.9.19, config/samples; upstream issue 120.
"""

from typing import Final

from weighbridge.policies.families.llmkube.fill.images import SYCL
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, off_metal, text
from weighbridge.policies.pods.images import Reference

_MOVING: Final = frozenset(
    {"latest", "main", "master", "edge", "nightly", "dev", "stable", "server", "full", "light"}
    | {f"{kind}-{backend}" for kind in ("server", "full", "light") for backend in ("cuda", "cuda13", "rocm", "vulkan", "intel", "musa")}
)


@off_metal.note(topic="Services: images", good="accepts-a-tag-of-a-release", bad="notes-a-tag-that-moves")
def check(service: Service) -> Said:
    image = text(service.spec, "image")
    if not image or image == SYCL:
        return
    reference = Reference.read(image)
    if not reference.digest and (reference.tag or "latest") in _MOVING:
        said = "is a moving tag" if reference.tag else "has no tag, which means latest"
        yield Violation(
            ("spec", "image"),
            f"{image} {said}; pin a release or a digest",
            found=reference.tag or "no tag",
            expected="a tag of one release, such as server-cuda-b10068, or a digest",
        )
    if reference.name != reference.repository:
        said = f"{image} names no registry, which some container runtimes refuse"
        yield Violation(("spec", "image"), said, expected=reference.repository)
