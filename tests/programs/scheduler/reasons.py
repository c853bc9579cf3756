"""Finds the reasons for each node, while a message only counts them.

A set of nodes is settled if each reason of its message counts the whole set. Otherwise one half is asked about, and the counts of the other
half are the difference. Nodes that look alike are kept together, so that few questions are enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from tests.programs.scheduler import messages
from tests.programs.scheduler.messages import CONFLICT, NARROWED, Verdict
from tests.programs.scheduler.rounds import Outcome
from tests.programs.scheduler.variants import only_on

Ask = Callable[[Sequence[dict[str, Any]]], dict[str, Outcome]]


@dataclass(frozen=True, slots=True)
class _Unsettled:
    """Nodes that refused a pod, with the number of them for each reason."""

    pod: dict[str, Any]
    nodes: Sequence[str]
    counts: Counter[str]

    def is_uniform(self) -> bool:
        return all(count == len(self.nodes) for count in self.counts.values())


class Reasons:
    """Asks for the reasons of single nodes."""

    def __init__(self, nodes: Sequence[dict[str, Any]], ask: Ask) -> None:
        self._total = len(nodes)
        self._looks = {node["metadata"]["name"]: _looks(node) for node in nodes}
        self._ordered = sorted(self._looks, key=lambda name: (self._looks[name], name))
        self._ask = ask
        self._asked = 0

    def of(self, pods: Sequence[dict[str, Any]], verdicts: Mapping[str, Verdict]) -> dict[str, dict[str, list[str]]]:
        """The reasons for each node that isn't feasible, for each pod with a verdict.

        A PreFilter plugin's text is every node's reason.
        """
        found: dict[str, dict[str, list[str]]] = {name: {} for name in verdicts}
        unsettled = []
        for pod in pods:
            verdict = verdicts.get(pod["metadata"]["name"])
            if verdict is None:
                continue
            refused = [node for node in self._ordered if node not in verdict.feasible]
            if verdict.prefilter:
                found[pod["metadata"]["name"]] = {node: [verdict.prefilter] for node in refused}
            else:
                unsettled.append(_Unsettled(pod, refused, verdict.refusals))
        while unsettled:
            for part in unsettled:
                if part.is_uniform():
                    found[part.pod["metadata"]["name"]].update({node: sorted(part.counts) for node in part.nodes})
            unsettled = self._halve([part for part in unsettled if not part.is_uniform()])
        return found

    def _halve(self, parts: Sequence[_Unsettled]) -> list[_Unsettled]:
        questions = [self._variant(part.pod, part.nodes[: self._middle(part.nodes)]) for part in parts]
        outcomes = self._ask(questions) if questions else {}
        halves = []
        for part, question in zip(parts, questions, strict=True):
            middle = self._middle(part.nodes)
            counts = self._counts_of(outcomes[question["metadata"]["name"]], middle)
            rest = Counter({reason: count - counts[reason] for reason, count in part.counts.items() if count != counts[reason]})
            if min(rest.values(), default=0) < 0 or counts.keys() - part.counts.keys():
                raise AssertionError(f"{question}: a half has reasons that the whole hasn't: {counts} of {part.counts}")
            halves += [_Unsettled(part.pod, part.nodes[:middle], counts), _Unsettled(part.pod, part.nodes[middle:], rest)]
        return halves

    def _variant(self, pod: dict[str, Any], nodes: Sequence[str]) -> dict[str, Any]:
        self._asked += 1
        variant = only_on(pod, nodes)
        return {**variant, "metadata": {**variant["metadata"], "name": f"{pod['metadata']['name']}--{self._asked}"}}

    def _middle(self, nodes: Sequence[str]) -> int:
        """The index at which to split the nodes: between two that look different, as near to the middle as possible."""
        half = len(nodes) // 2
        borders = [at for at in range(1, len(nodes)) if self._looks[nodes[at - 1]] != self._looks[nodes[at]]]
        return min(borders, key=lambda at: (abs(at - half), at), default=half)

    def _counts_of(self, outcome: Outcome, nodes: int) -> Counter[str]:
        """The number of the variant's nodes for each reason."""
        verdict = messages.read(outcome.message)
        if verdict.prefilter == CONFLICT:
            # The pod itself names only other nodes, so it leaves out these.
            return Counter({NARROWED: nodes})
        if verdict.prefilter or verdict.feasible:
            raise AssertionError(f"a pod that was refused on all of {nodes} nodes has the message: {outcome.message}")
        counts = verdict.counts.copy()
        counts[NARROWED] -= self._total - nodes
        return +counts


def _looks(node: dict[str, Any]) -> str:
    """All fields of a node that filters read, without those that distinguish it from similar nodes."""
    spec, labels = node.get("spec", {}), node["metadata"].get("labels", {})
    kind = {key: value for key, value in labels.items() if value != node["metadata"]["name"]}
    resources = node.get("status", {}).get("allocatable")
    return orjson.dumps([bool(spec.get("unschedulable")), spec.get("taints"), kind, resources], option=orjson.OPT_SORT_KEYS).decode()
