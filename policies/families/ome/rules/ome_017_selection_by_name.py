"""Two runtimes are equally good for the same models, so that their names decide.

Both are enabled, have `autoSelect` for the same format, framework, architecture and quantization, score the same and have the same size
range. OME then takes the one whose name sorts first. Its webhook means to refuse such a pair, but compares in a way that never finds one.
Give one of them another `priority` or size range, or leave out its `autoSelect`.

Source: OME v0.1.5 pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES, GROUP, RUNTIMES
from weighbridge.policies.families.ome.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.ome.subject.formats import Format
from weighbridge.policies.families.ome.subject.model_versions import EQUAL
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.families.ome.subject.sizes import size_or_zero


@objects.warning(
    kinds=("ClusterServingRuntime", "ServingRuntime"),
    reads=("ClusterServingRuntime", "ServingRuntime"),
    good="accepts-two-runtimes-of-different-priorities",
    bad="warns-of-two-runtimes-that-only-their-names-tell-apart",
)
def check(given: Given) -> Said:
    runtime = read_runtime(given.object)
    wanted = dict(_chosen_by(runtime))
    if not wanted:
        return
    referent = RUNTIMES if runtime.namespace else CLUSTER_RUNTIMES
    for other in _rivals(runtime, wanted, given.facts):
        if other.name == runtime.name:
            continue
        shared = next((wanted[key] for key, _ in _chosen_by(other) if key in wanted), None)
        if shared is not None:
            first = min(runtime.name, other.name)
            yield Violation(
                ("spec", "supportedModelFormats", shared),
                f"{other.title} serves the same models with the same score and size range, and {first} is taken for its name alone",
                found=other.name,
                hint="give one of them another priority or modelSizeRange, or leave out its autoSelect",
            )
            return
    if not given.facts.objects.knows_all(GROUP, referent.kind):
        yield NotChecked(referent.unknown)


def _rivals(runtime: Runtime, wanted: Iterable[tuple[object, ...]], facts: Facts) -> Iterator[Runtime]:
    """The runtimes that a runtime's formats are chosen as well as; one of a cluster or of the same namespace."""
    referent = RUNTIMES if runtime.namespace else CLUSTER_RUNTIMES
    for key in wanted:
        place = runtime.namespace, runtime.classes, key
        yield from facts.objects.read_where(GROUP, referent.kind, read_runtime, _places, place)


def _places(runtime: Runtime) -> Iterator[Hashable]:
    return ((runtime.namespace, runtime.classes, key) for key, _ in _chosen_by(runtime))


def _chosen_by(runtime: Runtime) -> Iterator[tuple[tuple[object, ...], int]]:
    """By what each format that is selected automatically is chosen, with its index."""
    if runtime.is_disabled:
        return
    sizes = None if runtime.sizes is None else tuple(size_or_zero(bound or "") for bound in (runtime.sizes.low, runtime.sizes.high))
    for item in runtime.supported:
        if item.auto_select:
            pipeline = json.dumps(item.pipeline, sort_keys=True)
            yield (item.key, _version(item.format), _version(item.framework), pipeline, item.priority, sizes), item.index


def _version(form: Format | None) -> tuple[str | None, str, int]:
    return (form.version, form.operator, form.weight) if form is not None else (None, EQUAL, 0)
