"""Holds what `weighbridge.policies.devices` says of generated cases against what the scheduler's allocator says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.devices.cluster import ABORT, pod, store_of
from tests.programs.devices.generated_claims import case
from tests.programs.devices.judge import ask
from weighbridge.policies.devices import TOO_MANY_COMBINATIONS, Devices, Refusal, SchedulingAbortedError, Silent
from weighbridge.policies.facts import Node

JSON = dict[str, Any]


@dataclass(slots=True)
class Comparison:
    """What came out: verdicts by kind, cases that either side gave up, and disagreements."""

    verdicts: Counter[str] = field(default_factory=Counter)
    given_up: int = 0
    differences: list[str] = field(default_factory=list)


def compare(judge: Path, seeds: Iterable[int]) -> Comparison:
    """Compare devices, reasons and errors, node by node."""
    found = Comparison()
    cases = [(seed, case(seed)) for seed in seeds]
    for (seed, asked), truth in zip(cases, ask(judge, (asked for _, asked in cases)), strict=True):
        for name, ours in _our_answers(asked).items():
            theirs = truth[name]
            found.verdicts[_kind(theirs)] += 1
            if theirs["error"] == "timed out" or ours["reason"] == TOO_MANY_COMBINATIONS:
                found.given_up += 1
            elif ours != theirs:
                found.differences.append(f"seed {seed}, {name}:\n  ours   {ours}\n  theirs {theirs}")
    return found


def _our_answers(asked: JSON) -> dict[str, JSON]:
    devices = Devices.of(store_of([*asked["Slices"], *asked["Classes"], *asked["Claims"], *asked["Allocated"]]))
    claiming = pod(*(claim["metadata"]["name"] for claim in asked["Claims"]))
    found: dict[str, JSON] = {}
    for node in map(Node.from_object, asked["Nodes"]):
        requests = devices.requests_of(claiming, "default")
        assert not isinstance(requests, (Refusal, Silent)), requests
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
