"""Compares the answers of `weighbridge.policies.devices` to generated cases with those of the scheduler's allocator."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.devices.cluster import ABORT, pod, store_of
from tests.programs.devices.generated_claims import case
from tests.programs.devices.judge import ask
from weighbridge.policies.devices import TOO_MANY_COMBINATIONS, DeviceRefusal, Devices, SchedulingAbortedError, Silent
from weighbridge.policies.facts import Node
from weighbridge.policies.ground.server_release import release

JSON = dict[str, Any]


@dataclass(slots=True)
class Comparison:
    """The result: verdicts by kind, cases that either side gave up, and disagreements."""

    verdicts: Counter[str] = field(default_factory=Counter)
    given_up: int = 0
    differences: list[str] = field(default_factory=list)


def compare(judge: Path, seeds: Iterable[int]) -> Comparison:
    """Compare devices, reasons and errors, node by node."""
    found = Comparison()
    cases = [(seed, _creatable(case(seed))) for seed in seeds]
    for (seed, asked), truth in zip(cases, ask(judge, (_as_stored(asked) for _, asked in cases)), strict=True):
        for name, ours in _our_answers(asked).items():
            theirs = truth[name]
            found.verdicts[_kind(theirs[0])] += 1
            if any(one["error"] == "timed out" for one in theirs) or ours["reason"] == TOO_MANY_COMBINATIONS:
                found.given_up += 1
            elif _compared(ours) not in map(_compared, theirs):
                found.differences.append(f"seed {seed}, {name}:\n  ours   {ours}\n  theirs {theirs}")
    return found


def _compared(answer: JSON) -> JSON:
    """An answer without the chosen devices if the release tries devices in no fixed order."""
    if release().version >= (1, 36):
        return answer
    error = re.sub(r"device \S+/\S+/\S+", "device", answer["error"])
    return {**answer, "error": error, "devices": [(claim, request) for claim, request, _ in answer["devices"]]}


#: The fields that the API server drops before 1.36, by their kind.
_OF_SPEC = {"sharedCounters", "perDeviceNodeSelection"}
_OF_DEVICE = {
    "taints", "consumesCounters", "nodeName", "nodeSelector", "allNodes", "allowMultipleAllocations", "bindingConditions",
    "bindingFailureConditions",
}  # fmt: skip
_OF_CLAIM = {"tolerations", "distinctAttribute", "shareID", "consumedCapacity"}
#: How often a release is asked that tries pools in any order.
_TRIES = 20


def _creatable(asked: JSON) -> JSON:
    """The case without empty constraints: before 1.36 the API server drops distinctAttribute, so matchAttribute replaces it."""
    for claim in asked["Claims"] if release().version < (1, 36) else ():
        for rule in claim["spec"]["devices"]["constraints"]:
            if "distinctAttribute" in rule:
                rule["matchAttribute"] = rule.pop("distinctAttribute")
    return asked


def _as_stored(asked: JSON) -> JSON:
    """The case as the allocator of the release in force gets it; before 1.36 its answer depends on the order in which it tries devices."""
    if release().version >= (1, 36):
        return asked
    slices = [
        {**found, "spec": {key: value for key, value in found["spec"].items() if key not in _OF_SPEC} | _stored_devices(found["spec"])}
        for found in asked["Slices"]
    ]
    claims = {key: [_without(found, _OF_CLAIM) for found in asked[key]] for key in ("Claims", "Allocated")}
    for request in (request for claim in claims["Claims"] for request in claim["spec"]["devices"]["requests"]):
        for wish in (request.get("exactly", {}), *request.get("firstAvailable", ())):
            wish.pop("capacity", None)
    return {**asked, **claims, "Slices": slices, "Times": _TRIES}


def _stored_devices(spec: JSON) -> JSON:
    devices = [{key: value for key, value in item.items() if key not in _OF_DEVICE} for item in spec.get("devices", ())]
    return {"devices": [_without(item, {"requestPolicy"}) for item in devices]} if devices else {}


def _without(value: Any, keys: set[str]) -> Any:
    if isinstance(value, list):
        return [_without(item, keys) for item in value]
    return {key: _without(item, keys) for key, item in value.items() if key not in keys} if isinstance(value, dict) else value


def _our_answers(asked: JSON) -> dict[str, JSON]:
    devices = Devices.of(store_of([*asked["Slices"], *asked["Classes"], *asked["Claims"], *asked["Allocated"]]))
    claiming = pod(*(claim["metadata"]["name"] for claim in asked["Claims"]))
    found: dict[str, JSON] = {}
    for node in map(Node.from_object, asked["Nodes"]):
        requests = devices.requests_of(claiming, "default")
        assert not isinstance(requests, (DeviceRefusal, Silent)), requests
        try:
            solution = devices.solve(requests, node)
        except SchedulingAbortedError as error:
            found[node.name] = {"reason": "", "error": str(error).removeprefix(ABORT), "devices": []}
            continue
        picked = [[item.claim, item.request, str(item.device)] for item in solution.devices]
        found[node.name] = {"reason": solution.reason, "error": "", "devices": picked}
    return found


def _kind(theirs: JSON) -> str:
    if theirs["error"]:
        return "error: " + " ".join(word for word in theirs["error"].split() if word.isalpha())
    return theirs["reason"] or "fits"
