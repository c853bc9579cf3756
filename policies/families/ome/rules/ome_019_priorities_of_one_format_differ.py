"""Formats of one runtime that share a name have different priorities.

OME's webhook goes by the deprecated `name` of an item, which is mostly empty, so that all formats without one share it. It refuses
different priorities among those with `autoSelect` as soon as any runtime is stored in the namespace, or for a ClusterServingRuntime in the
cluster. Give each format a `name` of its own, or all the same priority.

Source: OME v0.1.5 pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES, GROUP, RUNTIMES
from weighbridge.policies.families.ome.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.ground.fields import flag, items, text
from weighbridge.policies.ground.objects import JSONObject, Operation, name_of
from weighbridge.policies.ground.request import Request


@objects.error(
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    mirrors="webhook servingruntime.ome-webhook-server.validator",
    reads=("ClusterServingRuntime", "ServingRuntime"),
    good="accepts-two-priorities-of-named-formats",
    bad="refuses-two-priorities-in-one-runtime",
)
def check(given: Given) -> Said:
    runtime = read_runtime(given.object)
    if runtime.is_disabled:
        return
    first: dict[str, int | None] = {}
    for index, item in enumerate(items(runtime.spec, "supportedModelFormats")):
        found = item.get("priority")
        priority = found if isinstance(found, int) else None
        if not flag(item, "autoSelect"):
            continue
        name = text(item, "name")
        # The first one is what the others are compared with; one that is left open differs from none.
        before = first.setdefault(name, priority)
        if before is None or priority is None or before == priority:
            continue
        referent = RUNTIMES if runtime.namespace else CLUSTER_RUNTIMES
        if any(_is_stored(other, runtime, given.request) for other in given.facts.objects.list(GROUP, referent.kind, runtime.namespace)):
            shared = f'share the name "{name}"' if name else "have no name of their own"
            yield Violation(
                ("spec", "supportedModelFormats", index, "priority"),
                f"priority is {priority} here and {before} before, for formats that {shared}; OME refuses the runtime",
                found=str(priority),
                expected=str(before),
                hint="give each format a name of its own, or all the same priority",
            )
        elif not given.facts.objects.knows_all(GROUP, referent.kind):
            yield NotChecked(referent.unknown)
            return


def _is_stored(other: JSONObject, runtime: Runtime, request: Request) -> bool:
    """Whether a runtime is one that is stored; what is being created isn't yet."""
    return request.operation is not Operation.CREATE or name_of(other) != runtime.name
