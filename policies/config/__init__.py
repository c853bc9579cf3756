"""The user's configuration: ``apiVersion: weighbridge.dev/v1alpha1, kind: Configuration``.

One document for the whole cluster. What it doesn't mention keeps the default that stands here; unknown keys are refused. The sections
are plain dataclasses, whose keys in the document are their names in camel case; pydantic reads them in `parse` and describes them in
`json_schema`, and is imported there alone: whoever has no configuration doesn't wait for it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from policies.config.llmkube import LLMKube
from policies.config.sections import SECTION
from policies.objects import JSONObject, JSONValue

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from policies.facts import Node

API_VERSION = "weighbridge.dev/v1alpha1"
KIND = "Configuration"


class Enforcement(StrEnum):
    """What a rule's finding leads to."""

    DENY = "deny"
    WARN = "warn"
    AUDIT = "audit"
    OFF = "off"


@dataclass(frozen=True)
class ExpectedTaint:
    """A taint of a node that is expected."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    key: str
    """the taint's key"""
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]
    """what becomes of pods that don't tolerate it"""
    value: str = ""
    """the taint's value"""


@dataclass(frozen=True)
class ExpectedNode:
    """A node that will be there once a pool scales up."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    labels: dict[str, str] = field(default_factory=dict)
    """its labels; kubernetes.io/os is linux unless it stands here"""
    taints: list[ExpectedTaint] = field(default_factory=list)
    """its taints"""
    allocatable: dict[str, str | int | float] = field(default_factory=dict)
    """what pods can request on it; of cpu, memory, ephemeral-storage and pods it has enough unless they stand here"""


@dataclass(frozen=True)
class InferenceExtension:
    """Settings of the Gateway API Inference Extension family."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    criticality: Literal["Critical", "Standard", "Sheddable"] | None = None
    """what an InferenceModel without criticality gets; upstream sets none"""


@dataclass(frozen=True)
class Configuration:
    """The document."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    api_version: Literal["weighbridge.dev/v1alpha1"] = "weighbridge.dev/v1alpha1"
    kind: Literal["Configuration"] = "Configuration"
    on_error: Literal["deny", "warn"] = "deny"
    """the answer where the engine fails or runs out of time: refuse, or allow with a warning"""
    rules: dict[str, Enforcement] = field(default_factory=dict)
    """enforcement by rule id; a rule that isn't named denies on errors and warns on warnings"""
    expected_resources: dict[str, int] = field(default_factory=dict)
    """extended resources that nodes will have once a pool scales up: the most that one node will have, by resource name"""
    expected_nodes: dict[str, ExpectedNode] = field(default_factory=dict)
    """nodes that pools will bring once they scale up, by a name to speak of them: what fits one of them later is a warning, not an error"""
    llmkube: LLMKube = field(default_factory=LLMKube)
    inference_extension: InferenceExtension = field(default_factory=InferenceExtension)

    @cached_property
    def declared_nodes(self) -> tuple[Node, ...]:
        """The nodes of `expectedNodes`."""
        if not self.expected_nodes:
            return ()
        from policies.facts.expected import declared_node

        return tuple(
            declared_node(name, labels=node.labels, taints=map(asdict, node.taints), allocatable=node.allocatable)
            for name, node in self.expected_nodes.items()
        )

    def most_expected(self, resource: str) -> int:
        """The most of a resource that is expected on one node, by either setting."""
        return max([self.expected_resources.get(resource, 0), *(node.amounts.get(resource, 0) for node in self.declared_nodes)])


#: What holds where no document is given.
DEFAULT = Configuration()


def parse(document: JSONValue) -> Configuration:
    """Read a document. Raises pydantic's ValidationError with all of its mistakes."""
    if isinstance(document, dict) and isinstance(document.get("rules"), dict):
        # YAML reads a bare `off` as false; whoever writes it here means the enforcement.
        rules = {rule: "off" if value is False else value for rule, value in document["rules"].items()}
        document = {**document, "rules": rules}
    return _adapter().validate_python(document)


def json_schema() -> JSONObject:
    """The JSON Schema of the document, for editors."""
    schema: JSONObject = _adapter().json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _adapter() -> TypeAdapter[Configuration]:
    from pydantic import TypeAdapter

    return TypeAdapter(Configuration)
