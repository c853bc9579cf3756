"""The shortages of an object's pods, remembered by the store for all objects whose pods have equal requests."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.placement.asked import READ_WITH_AUTOSCALERS, asked_by_pod
from weighbridge.policies.placement.packing.company import labels_read
from weighbridge.policies.placement.packing.shortages import Shortage, Together, shortages
from weighbridge.policies.pods.groups import Groups
from weighbridge.policies.pods.workloads import claims_of


def lacking(groups: Sequence[Groups], made: Sequence[JSONObject], facts: Facts, config: Configuration, namespace: str) -> list[Shortage]:
    """The shortages of an object's pods; `made` are the objects that are created with them."""
    if facts.inventory is None or not any(one.most * one.size > 1 or (one.surge and one.least) for one in groups):
        return []

    def work_out() -> list[Shortage]:
        return list(shortages(Together.of(groups, made, facts, namespace), config))

    content = content_of([_asked(groups), [claim for obj in made for claim in claims_of(obj)]])
    if content is None:
        return work_out()
    names = [name_of(one.workload) for one in groups]

    def once(key: Hashable) -> tuple[list[str], list[Shortage]]:
        # The configuration is kept with the result, so that no other one can get its id.
        by = facts.inventory, facts.former
        held = facts.objects.once(READ_WITH_AUTOSCALERS, key, lambda: (config, (names, work_out())), by=by)
        return held[1]

    key: Hashable = (lacking, namespace, content, id(config))
    named, found = once(key)
    # The texts name the workload.
    return found if not found or named == names else once((key, *names))[1]


def _asked(groups: Sequence[Groups]) -> list[JSONValue]:
    """What the verdict depends on, except the names of workloads; of the pods' labels only those that terms of pods use."""
    pods_of_all = [pod for one in groups for pod, _ in one.pods.values()]
    gone_by = set[str]().union(*(labels_read(part(pod, "spec")) for pod in pods_of_all))

    def asked(pod: JSONObject) -> JSONValue:
        return [asked_by_pod(pod), {key: value for key, value in text_map(pod, "metadata", "labels").items() if key in gone_by}]

    found: list[JSONValue] = []
    for one in groups:
        pods = {role: [asked(pod), count] for role, (pod, count) in one.pods.items()}
        surge = [one.surge.more, one.surge.less] if one.surge is not None else []
        found.append([pods, one.least, one.most, one.gang, one.topology, surge, one.is_daemon, one.workload.get("kind")])
    return found
