"""The LLMKube family: its kinds and what it fills in."""

from __future__ import annotations

from typing import Final

from policies.families.family import Family, Kind
from policies.families.llmkube import defaults
from policies.objects import GroupVersionKind

FAMILY: Final = Family(
    name="llmkube",
    title="LLMKube",
    kinds=(Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model"), "models"),),
    defaults={"Model": defaults.model},
    package="policies.families.llmkube",
)
