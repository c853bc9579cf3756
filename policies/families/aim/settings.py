"""The configuration's section `aim`: the values that are filled in if the author left them open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.config.values import image_trouble, is_resource_name
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass, field


@dataclass(frozen=True)
class ResourceNames:
    """A resource name per GPU vendor; AIM supports two vendors."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    amd: str | None = None
    """for GPUs of AMD's; amd.com/gpu where none is given"""
    nvidia: str | None = None
    """for GPUs of NVIDIA's, which only aim.silogen.ai knows; else nvidia.com/gpu where nodes serve it"""


@dataclass(frozen=True)
class DownloadImages:
    """The images that fetch models, by the kind in which they are filled in."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    artifact: str | None = None
    """for AIMArtifact"""
    model_cache: str | None = None
    """for AIMModelCache of aim.silogen.ai"""


@dataclass(frozen=True)
class Aim:
    """Settings of the AIM family."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    resource_names: ResourceNames = field(default_factory=ResourceNames)
    """resource names that the device plugins of this cluster serve, filled into service templates"""
    download_images: DownloadImages = field(default_factory=DownloadImages)
    """images to fill in as modelDownloadImage, such as copies in a registry of one's own"""

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """The section's mistakes."""
        for vendor, resource in (("amd", self.resource_names.amd), ("nvidia", self.resource_names.nvidia)):
            if resource is not None and not is_resource_name(resource):
                yield (*path, "resourceNames", vendor), f"{resource!r} isn't a resource name; write domain/name, such as amd.com/gpu"
        for key, image in (("artifact", self.download_images.artifact), ("modelCache", self.download_images.model_cache)):
            if image is not None and (trouble := image_trouble(image)):
                yield (*path, "downloadImages", key), trouble


SETTINGS: Final = Aim
