"""Images that are filled in: pins, mirrors, and which images may be filled in at all."""

from __future__ import annotations

import pytest

from weighbridge.policies.config import image_of
from weighbridge.policies.families.configuration import parse

DIGEST = "sha256:" + "a" * 64
OTHER = "sha256:" + "b" * 64
CONFIG = parse(
    {
        "images": {
            "mirrors": {
                "ghcr.io": "mirror.example.com/ghcr",
                "ghcr.io/ggml-org": "llama.example.com",
                "docker.io": "hub.example.com:5000/hub",
            },
            "pins": {
                "ghcr.io/a/tagged": "v2",
                "ghcr.io/a/digested": OTHER,
                "ghcr.io/a/both": f"v2@{OTHER}",
                "ghcr.io/a/variant:rocm": "rocm-v2",
                "quay.io/q/plain": "v2",
                "nginx": "1.29",
            },
        }
    }
)


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("quay.io/x/y:v1", "quay.io/x/y:v1"),
        ("ghcr.io/x/y:v1", "mirror.example.com/ghcr/x/y:v1"),
        (f"ghcr.io/x/y:v1@{DIGEST}", f"mirror.example.com/ghcr/x/y:v1@{DIGEST}"),
        ("ghcr.io/ggml-org/llama.cpp:server", "llama.example.com/llama.cpp:server"),
        ("ghcr.io/ggml-organisation/x", "mirror.example.com/ghcr/ggml-organisation/x"),
        ("ghcr.io.example.com/x/y:v1", "ghcr.io.example.com/x/y:v1"),
        ("ghcr.io:8443/x/y:v1", "ghcr.io:8443/x/y:v1"),
        ("busybox", "hub.example.com:5000/hub/library/busybox"),
        ("vllm/vllm-openai:v0.9", "hub.example.com:5000/hub/vllm/vllm-openai:v0.9"),
        ("docker.io/busybox", "hub.example.com:5000/hub/library/busybox"),
        ("localhost/x:v1", "localhost/x:v1"),
        ("localhost:5000/x", "localhost:5000/x"),
        ("ghcr.io/a/tagged:v1", "mirror.example.com/ghcr/a/tagged:v2"),
        (f"ghcr.io/a/tagged:v1@{DIGEST}", "mirror.example.com/ghcr/a/tagged:v2"),
        ("ghcr.io/a/digested:v1", f"mirror.example.com/ghcr/a/digested@{OTHER}"),
        ("ghcr.io/a/both", f"mirror.example.com/ghcr/a/both:v2@{OTHER}"),
        ("ghcr.io/a/variant:rocm", "mirror.example.com/ghcr/a/variant:rocm-v2"),
        ("ghcr.io/a/variant:cuda", "mirror.example.com/ghcr/a/variant:cuda"),
        ("quay.io/q/plain", "quay.io/q/plain:v2"),
        ("nginx:1.0", "hub.example.com:5000/hub/library/nginx:1.29"),
    ],
)
def test_an_image_is_pinned_and_then_taken_from_its_mirror(image: str, expected: str) -> None:
    assert image_of(CONFIG, image) == expected


def test_without_settings_an_image_stays_as_it_was_written() -> None:
    assert image_of(parse({}), "nginx") == "nginx"
    assert image_of(parse({"images": {"mirrors": {"ghcr.io": "m.example.com"}}}), "nginx") == "nginx"


def test_a_pin_keeps_the_spelling_of_the_repository() -> None:
    assert image_of(parse({"images": {"pins": {"docker.io/library/nginx": "1.29"}}}), "nginx:latest") == "nginx:1.29"


@pytest.mark.parametrize(
    ("fill_in", "image", "resource", "toleration"),
    [
        ({}, True, True, True),
        ({"images": [], "resourceNames": [], "tolerations": []}, False, False, False),
        ({"images": ["ghcr.io/*"], "resourceNames": ["amd.com/*"], "tolerations": ["amd.com/gpu"]}, True, True, True),
        ({"images": ["ghcr.io"], "resourceNames": ["amd.com"], "tolerations": ["gpu"]}, False, False, False),
    ],
)
def test_only_what_is_allowed_is_filled_in(fill_in: dict[str, object], image: bool, resource: bool, toleration: bool) -> None:
    config = parse({"fillIn": fill_in})
    allowed = config.fills_in_image("ghcr.io/a/b:v1"), config.fills_in_resource("amd.com/gpu"), config.fills_in_toleration("amd.com/gpu")
    assert allowed == (image, resource, toleration)


def test_tolerations_are_given_as_a_pod_has_them() -> None:
    listed = [{"key": "amd.com/gpu", "operator": "Exists", "effect": "NoSchedule"}, {"key": "team", "value": "lab"}]
    document = {"tolerations": {"amd.com/gpu": listed}}
    assert parse(document).tolerations_for("amd.com/gpu") == listed
    assert parse(document).tolerations_for("nvidia.com/gpu") == []
    assert parse({**document, "fillIn": {"tolerations": ["team"]}}).tolerations_for("amd.com/gpu") == listed[1:]


@pytest.mark.parametrize(
    ("image", "upstream"),
    [
        ("m.example.com/ghcr/org/a:1", "ghcr.io/org/a:1"),
        ("m.example.com/ghcr/llm/lcpp:server@sha256:0f", "ghcr.io/ggml-org/llama.cpp:server@sha256:0f"),
        ("m.example.com/ghcr-old/org/a:1", "m.example.com/ghcr-old/org/a:1"),
        ("ghcr.io/org/a:1", "ghcr.io/org/a:1"),
        ("nginx", "nginx"),
    ],
)
def test_an_image_of_a_mirror_is_known_by_what_the_mirror_stands_for(image: str, upstream: str) -> None:
    mirrors = {"ghcr.io": "m.example.com/ghcr", "ghcr.io/ggml-org/llama.cpp": "m.example.com/ghcr/llm/lcpp"}
    assert parse({"images": {"mirrors": mirrors}}).images.upstream_of(image) == upstream
