"""The image that fetches a model, if the configuration's `aim.downloadImages` has one for the kind.

A cluster without access to public registries has copies of these images elsewhere. The operator has no setting for them, so every object
has the CRD's default. Weighbridge replaces it if the author wrote no image, and applies pins and mirrors to the new image as to all images.
Artifacts and model caches that an operator creates for a service have the same kinds, and get the same image.

Source: aim-engine v0.2.1, api/v1alpha1/aimartifact_types.go; kaiwo dbca1b55, apis/aim/v1alpha1/aimmodelcache_types.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration, image_of
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.settings import Aim
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.ground.request import Request

#: The CRDs' defaults.
_UNSET: Final = {
    "AIMArtifact": "ghcr.io/silogen/aim-artifact-downloader:0.2.0",
    "AIMModelCache": "kserve/storage-initializer:v0.16.0",
}


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in an artifact or a model cache."""
    if not isinstance(mutation.object.get("spec"), dict):
        return
    kind, images = request.gvk.kind, config.settings_of(Aim).download_images
    key, image = ("artifact", images.artifact) if kind == "AIMArtifact" else ("modelCache", images.model_cache)
    value = image_of(config, image) if image else ""
    filling = Filling(value, "configuration", f"aim.downloadImages.{key}") if value and config.fills_in_image(value) else None
    settle_value(
        mutation,
        ("spec", "modelDownloadImage"),
        lambda _: filling,
        unset=_UNSET[kind],
        no_longer=f"aim.downloadImages.{key} is no longer configured",
    )
