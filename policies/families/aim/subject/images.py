"""References of images, as both operators and the clients of registries read them.

Source: distribution/reference v0.6, regexp.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.expressions import expression

_HOST: Final = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9a-fA-F:]+\])(?::[0-9]+)?"
_PART: Final = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
IMAGE: Final = expression(
    rf"(?:{_HOST}/)?{_PART}(?:/{_PART})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{{0,127}})?(?:@[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]{{32,}})?"
)
REGISTRY: Final = expression(_HOST)


def is_image(image: str) -> bool:
    """Whether an image's reference can be read."""
    return IMAGE.fullmatch(image) is not None


def is_registry(host: str) -> bool:
    """Whether a text can be the host of a registry, with or without a port."""
    return REGISTRY.fullmatch(host) is not None


def has_tag(image: str) -> bool:
    """Whether a reference has a tag or a digest."""
    return "@" in image or ":" in image.rpartition("/")[2]
