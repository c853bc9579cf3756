"""The image's tag doesn't say which image it is.

A tag such as latest or server-cuda names another image next week: pods of one service differ, and nobody can tell what ran
yesterday. Write a tag that is never moved, or a digest.

Source: LLMKube v0.9.19, config/samples; upstream issue 120.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.defaults.images import SYCL
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.pods.images import Reference
from policies.request import Request

_MOVING: Final = frozenset(
    {"latest", "main", "master", "edge", "nightly", "dev", "stable", "server", "full", "light"}
    | {f"{kind}-{backend}" for kind in ("server", "full", "light") for backend in ("cuda", "cuda13", "rocm", "vulkan", "intel", "musa")}
)


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    image = text(serving.spec, "image")
    if serving.is_metal or not image or image == SYCL:
        return
    reference = Reference.read(image)
    if not reference.digest and (reference.tag or "latest") in _MOVING:
        yield RULE.finding(
            ("spec", "image"),
            f"{image} is a moving tag; pin a release or a digest"
            if reference.tag
            else f"{image} has no tag, which means latest; pin a release or a digest",
            found=reference.tag or "no tag",
            expected="a tag of one release, such as server-cuda-b10068, or a digest",
        )
    if reference.name != reference.repository:
        yield RULE.finding(
            ("spec", "image"), f"{image} names no registry, which some container runtimes refuse", expected=reference.repository
        )


RULE = Rule(
    id="LLMKUBE-085",
    name="image-not-pinned",
    severity=Severity.NOTE,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 docs",
    reads=("Model",),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nimage: ghcr.io/ggml-org/llama.cpp:server-cuda-b10068",
    bad="modelRef: gguf\nimage: ghcr.io/ggml-org/llama.cpp:server-cuda",
)
