"""The configuration's section `inferenceExtension`: the version of the Inference Extension in the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.families.upstream_versions import parse_version
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True)
class InferenceExtension:
    """Settings of the Gateway API Inference Extension family."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    version: str | None = None
    """the release that is installed, such as v1.5.0; else by the installed CRDs, else the newest known"""

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """The mistakes in the section."""
        if self.version is not None and parse_version(self.version) is None:
            yield (*path, "version"), f"{self.version[:64]!r} isn't a version; write one such as v1.5.0"


SETTINGS: Final = InferenceExtension
