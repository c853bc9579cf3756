"""Formats of one runtime that share a name have different priorities.

OME's webhook compares items by their deprecated `name`, which is mostly empty, so all formats without a name share one. It refuses
different priorities among those with `autoSelect` as soon as any runtime is stored in the namespace, or for a ClusterServingRuntime in the
cluster. Give each format its own `name`, or give all the same priority.

Source: OME v0.1.5, pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES, GROUP, RUNTIMES
from weighbridge.policies.families.ome.rulebook import Given, NotChecked, Runtime, Said, Violation, enabled_runtimes
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.fields import flag, items, text
from weighbridge.policies.ground.objects import Operation, name_of


@enabled_runtimes.error(
    mirrors="webhook servingruntime.ome-webhook-server.validator",
    reads=("ClusterServingRuntime", "ServingRuntime"),
    good="accepts-two-priorities-of-named-formats",
    bad="refuses-two-priorities-in-one-runtime",
)
def check(runtime: Runtime, given: Given) -> Said:
    first: dict[str, int | None] = {}
    for index, item in enumerate(items(runtime.spec, "supportedModelFormats")):
        found = item.get("priority")
        priority = found if isinstance(found, int) else None
        if not flag(item, "autoSelect"):
            continue
        name = text(item, "name")
        # OME compares the others with the first one. A priority that is left open differs from no other.
        before = first.setdefault(name, priority)
        if before is None or priority is None or before == priority:
            continue
        referent = RUNTIMES if runtime.namespace else CLUSTER_RUNTIMES
        if _is_any_stored(referent, runtime, given):
            shared = f'share the name "{name}"' if name else "have no name"
            yield Violation(
                ("spec", "supportedModelFormats", index, "priority"),
                f"priority is {priority} here and {before} before, for formats that {shared}; OME refuses the runtime",
                found=str(priority),
                expected=str(before),
                hint="give each format its own name, or give all the same priority",
            )
        elif not given.facts.objects.knows_all(GROUP, referent.kind):
            yield NotChecked(referent.unknown)
            return


def _is_any_stored(referent: Referent, runtime: Runtime, given: Given) -> bool:
    """Whether any runtime is stored; a runtime that is being created doesn't count."""
    stored = given.facts.objects.list(GROUP, referent.kind, runtime.namespace)
    return any(given.request.operation is not Operation.CREATE or name_of(other) != runtime.name for other in stored)
