"""The configuration's section `llmaz`: the settings of this cluster's controllers, and the values that are filled in.

llmaz reads its settings from the ConfigMap `llmaz-global-config` in `llmaz-system`; a setting in this section overrides it.
Source: llmaz 3c13ff3, pkg/controller_helper/configmap.go; Kubernetes v1.36, core/v1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.config.values import image_trouble
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.names import dns1123_subdomain


@dataclass(frozen=True)
class Llmaz:
    """Settings of the llmaz family."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    scheduler_name: str | None = None
    """scheduler of the pods, scheduler-name of llmaz-global-config"""
    init_container_image: str | None = None
    """image of the containers that fetch models, init-container-image of llmaz-global-config"""

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """The mistakes in the section."""
        if self.scheduler_name and dns1123_subdomain(self.scheduler_name):
            yield (*path, "schedulerName"), f"{self.scheduler_name[:64]!r} can't be the name of a scheduler"
        if self.init_container_image is not None and (trouble := image_trouble(self.init_container_image)):
            yield (*path, "initContainerImage"), trouble


SETTINGS: Final = Llmaz
