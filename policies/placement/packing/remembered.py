"""What of an object's pods doesn't fit together, remembered by the state of the cluster for all whose pods ask for the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.placement.asked import READ_WITH_AUTOSCALERS, asked_by_pod
from weighbridge.policies.placement.packing.shortages import Shortage, Together, shortages
from weighbridge.policies.pods.groups import Groups
from weighbridge.policies.pods.workloads import claims_of


def lacking(groups: Sequence[Groups], made: Sequence[JSONObject], facts: Facts, config: Configuration, namespace: str) -> list[Shortage]:
    """What of an object's pods doesn't fit together; `made` are the objects that are made with them."""
    if facts.inventory is None or not any(one.most * one.size > 1 or (one.surge and one.least) for one in groups):
        return []

    def work_out() -> list[Shortage]:
        return list(shortages(Together.of(groups, made, facts, namespace), config))

    content = content_of([_asked(groups), [claim for obj in made for claim in claims_of(obj)]])
    if content is None:
        return work_out()
    key: Hashable = (lacking, namespace, content, id(config))
    # The configuration is kept with the result, so that no other one gets its id.
    held = facts.objects.once(READ_WITH_AUTOSCALERS, key, lambda: (config, work_out()), by=(facts.inventory, facts.former))
    return held[1]


def _asked(groups: Sequence[Groups]) -> list[JSONValue]:
    """What the verdict depends on."""
    found: list[JSONValue] = []
    for one in groups:
        pods = {role: [asked_by_pod(pod), text_map(pod, "metadata", "labels"), count] for role, (pod, count) in one.pods.items()}
        surge = [one.surge.more, one.surge.less] if one.surge is not None else []
        found.append(
            [pods, one.least, one.most, one.gang, one.topology, surge, one.is_daemon, one.workload.get("kind"), name_of(one.workload)]
        )
    return found
