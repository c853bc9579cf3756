"""The models that a Playground or a Service claims, and the controllers' order of them.

The controllers put each main model before the earlier ones, so llmaz serves the last of two main models. The second model in
their order counts as the draft.
Source: llmaz 3c13ff3, pkg/controller_helper/helper.go.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import DEFAULT_CONFIG, DRAFT, MAIN, SPECULATIVE_CONFIG
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Claimed:
    """One claimed model, with the path of the field that names it."""

    name: str
    role: str
    path: Path

    @property
    def is_main(self) -> bool:
        """Whether it is a main model; one without a role is."""
        return self.role in ("", MAIN)


@dataclass(frozen=True, slots=True)
class Claims:
    """The models in the order in which they are written, and the flavors with their path."""

    models: tuple[Claimed, ...]
    flavors: tuple[str, ...]
    flavors_path: Path

    @property
    def ordered(self) -> tuple[Claimed, ...]:
        """The models as the controllers order them."""
        return (*reversed(self.mains), *(model for model in self.models if not model.is_main))

    @property
    def mains(self) -> tuple[Claimed, ...]:
        """The main models; the last of them is the one that the engine serves."""
        return tuple(model for model in self.models if model.is_main)

    @property
    def has_draft(self) -> bool:
        """Whether there is a draft among them, for speculative decoding."""
        return any(model.role == DRAFT for model in self.models)

    @property
    def config_name(self) -> str:
        """The recommended configuration that follows from the roles."""
        return SPECULATIVE_CONFIG if self.has_draft else DEFAULT_CONFIG


def claims_of(obj: JSONObject | None) -> Claims:
    """The claims of a Playground or a Service; one model if a Playground has `modelClaim`."""
    spec = spec_of(obj)
    if isinstance(spec.get("modelClaim"), dict):
        claim = part(spec, "modelClaim")
        path: Path = ("spec", "modelClaim")
        return Claims((Claimed(text(claim, "modelName"), MAIN, (*path, "modelName")),), texts(claim, "inferenceFlavors"), _flavors(path))
    path = ("spec", "modelClaims")
    found = items(spec, "modelClaims", "models")
    models = tuple(Claimed(text(model, "name"), text(model, "role"), (*path, "models", index, "name")) for index, model in enumerate(found))
    return Claims(models, texts(part(spec, "modelClaims"), "inferenceFlavors"), _flavors(path))


def _flavors(path: Path) -> Path:
    return (*path, "inferenceFlavors")
