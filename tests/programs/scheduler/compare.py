"""Compares our placement with kube-scheduler's word by word, for the same pods in the same cluster.

An aborted attempt (SchedulerError) may end with any node's error, so any of the true texts counts as equal. For a pod that the API server
refuses, only the fact of the refusal is compared: other tests compare its text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tests.programs.scheduler.generated.case import Case, Scenario
from tests.programs.scheduler.judge import Truth
from tests.programs.scheduler.rounds import REJECTED, SCHEDULER_ERROR, SILENT
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.placement import place


class Aspect(StrEnum):
    """The aspects in which two answers can differ, the gravest first."""

    OUTCOME = "outcome"
    FITS = "fits"
    REASONS = "reasons"
    MESSAGE = "message"
    CRASH = "crash"


@dataclass(frozen=True, slots=True)
class Difference:
    """One aspect in which the answers differ; `kind` is the same for similar differences."""

    aspect: Aspect
    kind: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A case with both answers."""

    scenario: str
    case: Case
    truth: Truth
    differences: tuple[Difference, ...]

    @property
    def nodes(self) -> int:
        """How many nodes' verdicts were compared."""
        return len(self.truth.feasible) + len(self.truth.rejected)

    def agrees_on(self, aspect: Aspect) -> bool:
        """Whether the answers are the same in this aspect; a crash is right in none."""
        return not any(difference.aspect in {aspect, Aspect.CRASH} for difference in self.differences)


def compare(scenario: Scenario, truths: Mapping[str, Truth]) -> list[Comparison]:
    """Compare our answer to each case of a scenario with the truth."""
    # The cluster is known whole: a kind of which there is no object is a kind without objects.
    known = frozenset({("", "Node")} | {(_group(api_version), kind) for api_version, kind in _KINDS})
    facts = from_objects(scenario.objects, Definitions(), extent=Extent(complete=known))
    comparisons = []
    for case in scenario.cases:
        truth = truths[case.name]
        try:
            found = differences(place(case.pod, facts), truth)
        except Exception as error:
            # The exception isn't raised again: the report names the pod.
            found = [Difference(Aspect.CRASH, type(error).__name__, f"{type(error).__name__}: {error}", truth.reason or "fits")]
        comparisons.append(Comparison(scenario.name, case, truth, tuple(found)))
    return comparisons


_KINDS = (
    ("v1", "Namespace"),
    ("v1", "PersistentVolume"),
    ("v1", "PersistentVolumeClaim"),
    ("node.k8s.io/v1", "RuntimeClass"),
    ("scheduling.k8s.io/v1", "PriorityClass"),
    ("storage.k8s.io/v1", "StorageClass"),
    ("storage.k8s.io/v1", "CSINode"),
    ("storage.k8s.io/v1", "CSIDriver"),
    ("resource.k8s.io/v1", "DeviceClass"),
    ("resource.k8s.io/v1", "ResourceSlice"),
    ("resource.k8s.io/v1", "DeviceTaintRule"),
    ("resource.k8s.io/v1", "ResourceClaim"),
    ("resource.k8s.io/v1", "ResourceClaimTemplate"),
)


def _group(api_version: str) -> str:
    return api_version.rpartition("/")[0]


def differences(ours: Placement, truth: Truth) -> list[Difference]:
    """The differences of our answer from the truth, without those that merely follow from another one."""
    if truth.reason == SILENT and any(text.endswith(" decides about the pods") for text in ours.unchecked):
        # kube-scheduler leaves the pods of others alone.
        return []
    if ours.reason != truth.reason:
        kind = f"{ours.reason or 'fits'} for {truth.reason or 'fits'}"
        return [Difference(Aspect.OUTCOME, kind, _summary(ours.reason, ours.message), _summary(truth.reason, truth.message))]
    found = []
    if ours.unchecked:
        found.append(Difference(Aspect.OUTCOME, "unchecked", f"not checked: {ours.unchecked}", "everything is known"))
    if ours.feasible != truth.feasible:
        kind = "order" if sorted(ours.feasible) == sorted(truth.feasible) else "nodes"
        found.append(Difference(Aspect.FITS, kind, str(ours.feasible), str(truth.feasible)))
    if truth.reason not in {SCHEDULER_ERROR, REJECTED}:
        found += _reasons(ours.rejected, truth.rejected)
    if truth.reason != REJECTED and ours.message not in truth.messages:
        found.append(Difference(Aspect.MESSAGE, "text", ours.message, truth.message))
    return found


def _reasons(ours: Mapping[str, Sequence[str]], theirs: Mapping[str, Sequence[str]]) -> list[Difference]:
    """One difference for each pair of unlike reasons, with a node for which they are given."""
    found: dict[str, Difference] = {}
    for node in sorted(ours.keys() | theirs.keys()):
        left, right = sorted(ours.get(node, ())), sorted(theirs.get(node, ()))
        if left != right:
            kind = f"{left} for {right}"
            found.setdefault(kind, Difference(Aspect.REASONS, kind, f"{node}: {left}", f"{node}: {right}"))
    return list(found.values())


def _summary(reason: str, message: str) -> str:
    return f"{reason or 'fits'}: {message}" if message else reason or "fits"
