"""The configuration's section `inferenceExtension`: what is filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from policies.config.sections import SECTION


@dataclass(frozen=True)
class InferenceExtension:
    """Settings of the Gateway API Inference Extension family."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    criticality: Literal["Critical", "Standard", "Sheddable"] | None = None
    """what an InferenceModel without criticality gets; upstream sets none"""


SETTINGS: Final = InferenceExtension
