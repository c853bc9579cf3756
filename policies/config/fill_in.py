"""What may be filled in. The lists allow values, so two lists together never allow more than each one."""

from __future__ import annotations

from typing import Any, ClassVar

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.config.selection import covers
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.images import Reference


@dataclass(frozen=True)
class FillIn:
    """What may be filled in; a list that isn't given allows everything, an empty one nothing."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    images: list[str] | None = None
    """images by repository; * matches any characters, as in ghcr.io/ggml-org/*"""
    resource_names: list[str] | None = None
    """names of extended resources; * matches any characters"""
    tolerations: list[str] | None = None
    """keys of taints that may be tolerated; * matches any characters"""

    def allows_image(self, image: str) -> bool:
        """Whether an image may be filled in, by the repository that it finally comes from."""
        return _allows(self.images, Reference.read(image).repository)

    def allows_resource(self, name: str) -> bool:
        """Whether requests for a resource may be filled in."""
        return _allows(self.resource_names, name)

    def allows_toleration(self, key: str) -> bool:
        """Whether a toleration of taints with this key may be filled in."""
        return _allows(self.tolerations, key)


def _allows(patterns: list[str] | None, name: str) -> bool:
    return patterns is None or any(covers(pattern, name) for pattern in patterns)
