"""The user's configuration: ``apiVersion: weighbridge.dev/v1alpha1, kind: Configuration``.

One document for the whole cluster. What it doesn't mention keeps the default that the model shows; unknown keys are refused. Its JSON
Schema is what `Configuration.model_json_schema()` gives.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

API_VERSION = "weighbridge.dev/v1alpha1"
KIND = "Configuration"


class Enforcement(StrEnum):
    """What a rule's finding leads to."""

    DENY = "deny"
    WARN = "warn"
    AUDIT = "audit"
    OFF = "off"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Vendors(_Section):
    """A resource name per GPU vendor."""

    nvidia: str | None = Field(None, description="for vendor nvidia; the operator's own is nvidia.com/gpu")
    amd: str | None = Field(None, description="for vendor amd; the operator's own are amd.com/gpu and devic.es/dri-render")
    intel: str | None = Field(None, description="for vendor intel; the operator's own is gpu.intel.com/i915")

    def of(self, vendor: str) -> str | None:
        """The name for a vendor; `None` where none is given or the vendor isn't one."""
        return {"nvidia": self.nvidia, "amd": self.amd, "intel": self.intel}.get(vendor)


class LLMKube(_Section):
    """Settings of the LLMKube family."""

    resource_names: Vendors = Field(
        default_factory=Vendors, alias="resourceNames", description="resource names that the device plugins of this cluster serve"
    )


class InferenceExtension(_Section):
    """Settings of the Gateway API Inference Extension family."""

    criticality: Literal["Critical", "Standard", "Sheddable"] | None = Field(
        None, description="what an InferenceModel without criticality gets; upstream sets none"
    )


class Configuration(_Section):
    """The document."""

    api_version: Literal["weighbridge.dev/v1alpha1"] = Field("weighbridge.dev/v1alpha1", alias="apiVersion")
    kind: Literal["Configuration"] = "Configuration"
    on_error: Literal["deny", "warn"] = Field(
        "deny", alias="onError", description="the answer where the engine fails or runs out of time: refuse, or allow with a warning"
    )
    rules: dict[str, Enforcement] = Field(
        default_factory=dict, description="enforcement by rule id; a rule that isn't named denies on errors and warns on warnings"
    )
    expected_resources: dict[str, int] = Field(
        default_factory=dict,
        alias="expectedResources",
        description="extended resources that nodes will have once a pool scales up: the most that one node will have, by resource name",
    )
    llmkube: LLMKube = Field(default_factory=LLMKube)
    inference_extension: InferenceExtension = Field(default_factory=InferenceExtension, alias="inferenceExtension")

    @field_validator("rules", mode="before")
    @classmethod
    def _off_is_a_word(cls, rules: object) -> object:
        """YAML reads a bare `off` as false; whoever writes it here means the enforcement."""
        return {rule: "off" if value is False else value for rule, value in rules.items()} if isinstance(rules, dict) else rules


#: What holds where no document is given.
DEFAULT = Configuration()
