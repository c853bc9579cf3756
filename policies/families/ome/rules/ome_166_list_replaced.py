"""A service's list replaces its runtime's list, but lacks an entry that the engine needs.

OME merges a service into its runtime with a strategic merge patch. `args`, `command` and `tolerations` have no merge key, so the service's
list replaces the runtime's. With a single flag in `args` the engine has no model, no port and no name. Write the whole list: the runtime's
entries and yours.

Among the tolerations the rule only looks for the one for the GPU's taint, and only if no nodes are known. If nodes are known, the
placement shows whether a pod could start.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go; Kubernetes v1.36, the patch strategies of core/v1 PodSpec.
"""

from weighbridge.policies.families.ome.predictions.engines import servers_of_service
from weighbridge.policies.families.ome.predictions.merge.servers import Server
from weighbridge.policies.families.ome.rulebook import WORKLOAD_READS, Given, Said, Violation, Workloads, workloads
from weighbridge.policies.families.serving_engines.faults import gpus_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject


@workloads.warning(
    reads=tuple(sorted((*WORKLOAD_READS, "Node"))),
    good="accepts-the-whole-list-of-arguments",
    bad="warns-of-arguments-without-the-model",
)
def check(_: Workloads, given: Given) -> Said:
    for server in servers_of_service(*given):
        if server.dropped:
            lists, verb = " and ".join(server.replaced), "replace" if len(server.replaced) > 1 else "replaces"
            what = ", ".join(written for _, written in server.dropped)
            yield Violation(
                server.path(server.replaced[-1]),
                f"{lists} {verb} the runtime's list and drops {what}: write the whole list",
                found=what,
                hint="repeat what the runtime has, and add yours",
            )
        if given.facts.inventory is None and (key := _lost_toleration(server)):
            yield Violation(
                (*server.path(), "tolerations"),
                f"tolerations replaces the runtime's list and drops that of taint {key}, which GPU nodes often have: write the whole list",
                found=key,
                hint="repeat what the runtime has, and add yours",
            )


def _lost_toleration(server: Server) -> str:
    """The taint of GPU nodes that the runtime tolerates and the service no longer does; empty if there is none."""
    gpus = gpus_of(server.container)
    own, base = (part(side, server.role) if side.get(server.role) else side for side in (server.component.own, server.component.given))
    if gpus is None or not server.is_runner or not items(own, "tolerations"):
        return ""
    tolerates = [any(_tolerates(found, gpus[0]) for found in items(side, "tolerations")) for side in (base, own)]
    return gpus[0] if tolerates == [True, False] else ""


def _tolerates(toleration: JSONObject, key: str) -> bool:
    return text(toleration, "key") == key or (not toleration.get("key") and text(toleration, "operator") == "Exists")
