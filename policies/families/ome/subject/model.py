"""A BaseModel or ClusterBaseModel, with the values by which runtimes are selected.

OME's agent reads the files of a model once they are downloaded, and fills in the fields that the author left open, unless an annotation
forbids it. Source: OME v0.1.5, pkg/modelagent/config_parser.go, updateModelSpec and shouldSkipConfigParsing; gopher.go, processTask.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.subject.formats import ModelFormat, format_of, optional
from weighbridge.policies.families.ome.subject.storage_uris import StorageUri, read_uri
from weighbridge.policies.ground.fields import flag, part, text, text_map
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

_SKIP: Final = "ome.oracle.com/skip-config-parsing"
#: The state of a model whose files the agent has read.
_READ: Final = "Ready"
#: Storage from which the agent reads no files: it skips claims and vendors' models, and can't download the others.
_NEVER_READ: Final = ("pvc", "vendor", "s3", "az", "gs", "github")


@dataclass(frozen=True, slots=True)
class Model:
    """A model; `key` is the part that must be equal in a format of a runtime, without versions.

    `awaits_agent` is whether OME's agent may still fill in the open fields.
    """

    obj: JSONObject
    name: str
    namespace: str
    is_disabled: bool
    format: ModelFormat | None
    framework: ModelFormat | None
    architecture: str | None
    quantization: str | None
    size: str | None
    pipeline: JSONObject | None
    key: tuple[str | None, ...]
    awaits_agent: bool

    @property
    def shape(self) -> Hashable:
        """All values by which a runtime is selected."""
        read = self.key, self.format, self.framework, self.architecture, self.quantization, self.size, json_text(self.pipeline)
        return *read, self.awaits_agent

    @property
    def kind(self) -> str:
        """Its kind."""
        return text(self.obj, "kind")

    @property
    def title(self) -> str:
        """Its kind and name, for messages."""
        return f"{self.kind} {self.name}"

    @property
    def spec(self) -> JSONObject:
        """Its spec."""
        return spec_of(self.obj)

    @property
    def storage(self) -> JSONObject:
        """The storage that its files come from, and the path to which they go."""
        return part(self.spec, "storage")

    @property
    def source(self) -> StorageUri:
        """The storage that its files come from."""
        return read_uri(text(self.storage, "storageUri"))

    @property
    def path(self) -> str:
        """The path of its files on the nodes; empty if it names none."""
        return text(self.storage, "path")

    @property
    def format_name(self) -> str:
        """The name of its format; empty if it has none, for example because the agent hasn't read the weights yet."""
        return self.format.name if self.format is not None else ""


def read_model(obj: JSONObject) -> Model:
    """A model as it is stored."""
    spec = spec_of(obj)
    pipeline = spec.get("diffusionPipeline")
    form, framework = format_of(spec, "modelFormat"), format_of(spec, "modelFramework")
    architecture, quantization = optional(spec, "modelArchitecture"), optional(spec, "quantization")
    source = read_uri(text(part(spec, "storage"), "storageUri"))
    is_skipped = text_map(obj, "metadata", "annotations").get(_SKIP, "").lower() == "true" or source.is_of(*_NEVER_READ)
    return Model(
        obj=obj,
        name=name_of(obj),
        namespace=namespace_of(obj),
        is_disabled=flag(spec, "disabled"),
        format=form,
        framework=framework,
        architecture=architecture,
        quantization=quantization,
        size=optional(spec, "modelParameterSize"),
        pipeline=pipeline if isinstance(pipeline, dict) else None,
        key=(architecture, quantization, form.name if form else "", framework.name if framework else None),
        awaits_agent=not is_skipped and text(part(obj, "status"), "state") != _READ,
    )
