"""A ServingRuntime or ClusterServingRuntime, with the values by which it is selected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.subject.formats import ModelFormat, format_of, optional
from weighbridge.policies.ground.fields import flag, items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

_NO_FORMAT = ModelFormat("", None, "Equal", 1)
#: The store indexes runtimes by these keys.
KEYS: Final = attrgetter("keys")


@dataclass(frozen=True, slots=True)
class Supported:
    """One item of `supportedModelFormats`; `key` is the part that must be equal in a model, without versions."""

    index: int
    format: ModelFormat
    framework: ModelFormat | None
    architecture: str | None
    quantization: str | None
    pipeline: JSONObject | None
    auto_select: bool | None
    priority: int
    key: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class SizeRange:
    """The sizes that a runtime supports; `None` is a bound that isn't written."""

    low: str | None
    high: str | None

    @property
    def is_open(self) -> bool:
        """Whether a bound is missing, at which OME dereferences a nil pointer."""
        return self.low is None or self.high is None

    def __str__(self) -> str:
        return f"{self.low or 'nothing'} to {self.high or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Runtime:
    """A runtime; `classes` are the accelerator classes that it lists, `keys` the keys of the formats that it supports."""

    obj: JSONObject
    name: str
    namespace: str
    is_disabled: bool
    supported: tuple[Supported, ...]
    sizes: SizeRange | None
    classes: tuple[str, ...]
    is_auto_selected: bool
    keys: frozenset[tuple[str | None, ...]]

    @property
    def kind(self) -> str:
        """Its kind."""
        return text(self.obj, "kind")

    @property
    def scope(self) -> str:
        """Its scope: ``namespace`` or ``cluster``."""
        return "namespace" if self.namespace else "cluster"

    @property
    def title(self) -> str:
        """Its kind and name, for messages."""
        return f"{self.kind} {self.name}"

    @property
    def spec(self) -> JSONObject:
        """Its spec."""
        return spec_of(self.obj)

    def formats(self) -> Iterator[tuple[ModelFormat, Path]]:
        """The formats and the frameworks that it supports, each with its field."""
        for item in self.supported:
            for key, form in (("modelFormat", item.format), ("modelFramework", item.framework)):
                if form is not None:
                    yield form, ("spec", "supportedModelFormats", item.index, key)


def namespaces(runtime: Runtime) -> Iterable[str]:
    """The store indexes the runtimes of namespaces by these as well."""
    return (runtime.namespace,)


def namespaced_keys(runtime: Runtime) -> Iterable[tuple[str, tuple[str | None, ...]]]:
    """The same for the runtimes of one namespace."""
    return ((runtime.namespace, key) for key in runtime.keys)


def read_runtime(obj: JSONObject) -> Runtime:
    """A runtime as it is stored."""
    spec = spec_of(obj)
    supported = tuple(_supported(index, item) for index, item in enumerate(items(spec, "supportedModelFormats")))
    sizes = spec.get("modelSizeRange")
    return Runtime(
        obj=obj,
        name=name_of(obj),
        namespace=namespace_of(obj),
        is_disabled=flag(spec, "disabled"),
        supported=supported,
        sizes=SizeRange(optional(sizes, "min"), optional(sizes, "max")) if isinstance(sizes, dict) else None,
        classes=texts(part(spec, "acceleratorRequirements"), "acceleratorClasses"),
        is_auto_selected=any(item.auto_select for item in supported),
        keys=frozenset(item.key for item in supported),
    )


def _supported(index: int, item: JSONObject) -> Supported:
    form, framework = format_of(item, "modelFormat") or _NO_FORMAT, format_of(item, "modelFramework")
    architecture, quantization = optional(item, "modelArchitecture"), optional(item, "quantization")
    pipeline, auto, priority = item.get("diffusionPipeline"), item.get("autoSelect"), item.get("priority")
    return Supported(
        index=index,
        format=form,
        framework=framework,
        architecture=architecture,
        quantization=quantization,
        pipeline=pipeline if isinstance(pipeline, dict) else None,
        auto_select=auto if isinstance(auto, bool) else None,
        priority=priority if isinstance(priority, int) and not isinstance(priority, bool) else 1,
        key=(architecture, quantization, form.name, framework.name if framework else None),
    )
