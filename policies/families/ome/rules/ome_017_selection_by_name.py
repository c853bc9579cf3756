"""Two runtimes are equally good for the same models, so OME chooses by their names.

Both are enabled, have `autoSelect` for the same format, framework, architecture and quantization, score the same and have the same size
range. OME then uses the one whose name sorts first. Its webhook should refuse such a pair, but its comparison never finds one. Give one
of them another `priority` or size range, or remove its `autoSelect`.

Source: OME v0.1.5, pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

import json
from collections.abc import Hashable, Iterator

from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES, GROUP, RUNTIMES
from weighbridge.policies.families.ome.rulebook import Given, NotChecked, Runtime, Said, Violation, enabled_runtimes
from weighbridge.policies.families.ome.subject.formats import ModelFormat
from weighbridge.policies.families.ome.subject.model_versions import EQUAL
from weighbridge.policies.families.ome.subject.runtime import read_runtime
from weighbridge.policies.families.ome.subject.sizes import size_or_zero


@enabled_runtimes.warning(
    kinds=("ClusterServingRuntime", "ServingRuntime"),
    reads=("ClusterServingRuntime", "ServingRuntime"),
    good="accepts-two-runtimes-of-different-priorities",
    bad="warns-of-two-runtimes-that-only-their-names-tell-apart",
)
def check(runtime: Runtime, given: Given) -> Said:
    places, objects = dict(_places(runtime)), given.facts.objects
    referent = RUNTIMES if runtime.namespace else CLUSTER_RUNTIMES
    rivals = (one for place in places for one in objects.read_where(GROUP, referent.kind, read_runtime, _places_of, place))
    for other in rivals:
        if other.name == runtime.name:
            continue
        shared = next((places[place] for place, _ in _places(other) if place in places), None)
        if shared is not None:
            first = min(runtime.name, other.name)
            yield Violation(
                ("spec", "supportedModelFormats", shared),
                f"{other.title} serves the same models with the same score and size range, so OME chooses {first} only by its name",
                found=other.name,
                hint="give one of them another priority or modelSizeRange, or leave out its autoSelect",
            )
            return
    if places and not objects.knows_all(GROUP, referent.kind):
        yield NotChecked(referent.unknown)


def _places_of(runtime: Runtime) -> Iterator[Hashable]:
    return (place for place, _ in _places(runtime))


def _places(runtime: Runtime) -> Iterator[tuple[Hashable, int]]:
    """For each format with `autoSelect` all values by which OME chooses, with the index of the format."""
    if runtime.is_disabled:
        return
    sizes = None if runtime.sizes is None else tuple(size_or_zero(bound or "") for bound in (runtime.sizes.low, runtime.sizes.high))
    for item in runtime.supported:
        if item.auto_select:
            pipeline = json.dumps(item.pipeline, sort_keys=True)
            chosen_by = (item.key, _version(item.format), _version(item.framework), pipeline, item.priority, sizes)
            yield (runtime.namespace, runtime.classes, chosen_by), item.index


def _version(form: ModelFormat | None) -> tuple[str | None, str, int]:
    return (form.version, form.operator, form.weight) if form is not None else (None, EQUAL, 0)
