"""How the two operators differ: kaiwo, of the old group, and aim-engine, of its successor.

Source: kaiwo dbca1b55, internal/controller/aim/shared/{profile_selection,gpu_resources}.go; aim-engine v0.2.1,
internal/aimservice/selection.go and internal/utils/resources.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

#: The annotation that makes aim-engine leave an object alone.
PAUSED: Final = f"{NEW}/reconciliation-paused"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One operator. The orders begin with the best; a value that an order lacks comes last.

    `reference` is the field of `spec.model` that names a model, `template` the path of the field that names a template, `hardware` the path
    of the GPUs, and `count` the field of their number. `vendor_words` are skipped in names of GPUs. With `filters_by_overrides` a template
    that doesn't fit the overrides is left out of the choice; with `ties_by_type` templates of different types can tie. `finalizer` is the
    finalizer that it adds to each service. `is_aim_engine` decides all other differences, such as how a namespace's config is laid over the
    cluster's.
    """

    group: str
    title: str
    reference: str
    template: tuple[str, ...]
    hardware: tuple[str, ...]
    count: str
    gpus: tuple[str, ...]
    precisions: tuple[str, ...]
    vendor_words: frozenset[str]
    knows_nvidia: bool
    filters_by_overrides: bool
    ties_by_type: bool
    skips_derived: bool
    is_aim_engine: bool
    finalizer: str
    metrics: tuple[str, ...] = ("latency", "throughput")
    types: tuple[str, ...] = ("optimized", "preview", "unoptimized")


_NEW: Final = Dialect(
    group=NEW,
    title="aim-engine v0.2.1",
    reference="name",
    template=("template", "name"),
    hardware=("hardware", "gpu"),
    count="requests",
    gpus=("MI325X", "MI300X", "MI250X", "MI210"),
    precisions=("fp4", "int4", "fp8", "int8", "fp16", "bf16", "fp32"),
    vendor_words=frozenset({"AMD", "INSTINCT"}),
    knows_nvidia=False,
    filters_by_overrides=True,
    ties_by_type=False,
    skips_derived=False,
    is_aim_engine=True,
    finalizer="aim.eai.amd.com/template-cache-cleanup",
)
_OLD: Final = Dialect(
    group=OLD,
    title="kaiwo dbca1b55",
    reference="ref",
    template=("templateRef",),
    hardware=("gpuSelector",),
    count="count",
    gpus=("MI325X", "MI300X", "MI250X", "MI210", "A100", "H100"),
    precisions=("fp8", "fp16", "bf16", "fp32"),
    vendor_words=frozenset({"AMD", "NVIDIA", "TESLA", "RTX", "INSTINCT"}),
    knows_nvidia=True,
    filters_by_overrides=False,
    ties_by_type=True,
    skips_derived=True,
    is_aim_engine=False,
    finalizer="aim.silogen.ai/service-cache-cleanup",
)


def is_paused(obj: JSONObject, dialect: Dialect) -> bool:
    """Whether the operator does nothing about an object; kaiwo knows no such annotation."""
    return dialect.is_aim_engine and text_map(obj, "metadata", "annotations").get(PAUSED) == "true"


def dialect_of(group: str) -> Dialect:
    """The operator of a group."""
    return _OLD if group == OLD else _NEW
