"""The real kube-scheduler as a judge of pods: the nodes on which each fits, the reasons against the others, and the message.

Two schedulers run on one API server. The first has an extender that refuses every node that fits, so one message names all feasible nodes
and nothing is ever bound. The second has the default configuration and gets only pods that fit nowhere; its message is the true one. The
reasons for single nodes come from variants of the pod that are evaluated only for some nodes. Sets of nodes are halved until all nodes of a
set have the same reasons.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.scheduler.api import Api, PodWatch
from tests.programs.scheduler.claims import Claims, fastened, loosened
from tests.programs.scheduler.extender import Extender
from tests.programs.scheduler.messages import Verdict, read
from tests.programs.scheduler.reasons import Reasons
from tests.programs.scheduler.resources import create, create_all, delete_all, put_status
from tests.programs.scheduler.rounds import BOUND, LAST_PRIORITY, SCHEDULER_ERROR, SILENT, UNSCHEDULABLE, Outcome, Rounds
from tests.programs.scheduler.variants import only_on

EVERY_NODE, ORDINARY = "weighbridge-every-node", "weighbridge-ordinary"
#: Claims and volumes in use get finalizers, which only a controller would remove.
_APISERVER_FLAGS = ("--disable-admission-plugins=StorageObjectInUseProtection", "--delete-collection-workers=8")
#: With this gate, conditions are written while the next pod is scheduled instead of before; their content is the same.
_EVERY_NODE_FLAGS = ("--feature-gates=SchedulerAsyncAPICalls=true",)
#: Seconds until the freed quotas are known everywhere.
_SETTLED = 2.0


@dataclass(frozen=True, slots=True)
class Truth:
    """kube-scheduler's verdict on a pod.

    `reason` is "" where a node fits (or is named by the pod itself, which isn't checked), else that of the PodScheduled condition,
    "Rejected" (the API server refused; `message` is its text) or "Silent" (no condition at all). `rejected` holds every node that isn't
    feasible, and none for other reasons than "" and Unschedulable. `messages` are all texts with which an aborted attempt may end; a race
    decides which node's text it is.
    """

    feasible: list[str]
    rejected: dict[str, list[str]]
    message: str
    reason: str
    messages: frozenset[str] = frozenset()


class Judge:
    """A control plane with the two schedulers. Entering starts it, leaving removes every trace of it."""

    def __init__(self, assets: Assets) -> None:
        self._plane = ControlPlane(assets, apiserver_flags=_APISERVER_FLAGS)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._plane)
            self._api = stack.enter_context(Api(self._plane))
            self._extender = stack.enter_context(Extender())
            self._watch = stack.enter_context(PodWatch(self._api))
            create(self._api, _last_priority())
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.close()

    @contextmanager
    def cluster(self, objects: Sequence[dict[str, Any]]) -> Iterator[Cluster]:
        """A cluster of these objects: nodes, classes, slices, claims, volumes and all others that the pods refer to.

        The schedulers are started after the objects exist, so from the first pod on they know all of them.
        """
        create_all(self._api, map(fastened, objects))
        try:
            self._start_schedulers()
            nodes = [obj for obj in objects if obj["kind"] == "Node"]
            yield Cluster(self._api, self._watch, nodes, Claims.of(objects), [obj for obj in objects if obj["kind"] == "ResourceQuota"])
        finally:
            for name in (EVERY_NODE, ORDINARY):
                self._plane.stop_scheduler(name)
            delete_all(self._api, objects)

    def truths(self, objects: Sequence[dict[str, Any]], pods: Sequence[dict[str, Any]]) -> dict[str, Truth]:
        """The truth about each pod in a cluster of these objects, by the pod's name."""
        with self.cluster(objects) as cluster:
            return cluster.ask(pods)

    def _start_schedulers(self) -> None:
        extended = _profile(EVERY_NODE) | {"extenders": [self._extender.setting]}
        self._plane.start_scheduler(EVERY_NODE, extended, flags=_EVERY_NODE_FLAGS)
        self._plane.start_scheduler(ORDINARY, _profile(ORDINARY))


class Cluster:
    """The nodes that pods are asked about."""

    def __init__(
        self, api: Api, watch: PodWatch, nodes: Sequence[dict[str, Any]], claims: Claims, quotas: Sequence[dict[str, Any]] = ()
    ) -> None:
        self.rounds = Rounds(api, watch, claims)
        self.api = api
        self._nodes = nodes
        self._claims = claims
        self._quotas = quotas

    def ask(self, pods: Sequence[dict[str, Any]]) -> dict[str, Truth]:
        """The truth about each pod, by the pod's name. Pods need distinct names; thousands at once are welcome."""
        first = self._ask_extended(pods)
        verdicts = {name: read(outcome.message) for name, outcome in first.items() if outcome.reason == UNSCHEDULABLE}
        unplaced = [pod for pod in pods if _fits_nowhere(first[_name(pod)], verdicts.get(_name(pod)))]
        self._give_back()
        outcomes = first | self.rounds.ask([pod for pod in unplaced if not self._claims.loose(pod)], ORDINARY)
        for pod in unplaced:
            if loose := self._claims.loose(pod):
                # The first scheduler has to answer this, too: the second would bind the pod once the claim is deallocated.
                with loosened(self.api, loose):
                    outcomes |= self._ask_extended([pod])
        for pod in unplaced:
            _check_of_one_mind(_name(pod), first[_name(pod)], outcomes[_name(pod)])
        reasons = Reasons(self._nodes, self._ask_extended).of(pods, verdicts)
        aborted = [pod for pod in pods if outcomes[_name(pod)].reason == SCHEDULER_ERROR]
        truths = {_name(pod): self._truth(pod, outcomes[_name(pod)], verdicts.get(_name(pod)), reasons) for pod in pods}
        return truths | self._aborts(aborted, truths)

    def _ask_extended(self, pods: Sequence[dict[str, Any]]) -> dict[str, Outcome]:
        self._give_back()
        return self.rounds.ask(pods, EVERY_NODE)

    def _give_back(self) -> None:
        """Resets the usage of quotas, since no controller notices that pods are gone."""
        if self._quotas:
            self.api.each(lambda quota: put_status(self.api, quota), self._quotas)
            # The admission plugin gets it from a watch.
            time.sleep(_SETTLED)

    def _truth(self, pod: dict[str, Any], outcome: Outcome, verdict: Verdict | None, reasons: dict[str, dict[str, list[str]]]) -> Truth:
        if outcome.reason == BOUND:
            there = self._in_order({outcome.message})
            return Truth(there, {}, "", "" if there else SILENT, frozenset({""}))
        rejected = reasons.get(_name(pod), {})
        if verdict is not None and verdict.feasible:
            return Truth(self._in_order(verdict.feasible), rejected, "", "", frozenset({""}))
        refused = rejected if outcome.reason == UNSCHEDULABLE else {}
        return Truth([], refused, outcome.message, outcome.reason, frozenset({outcome.message}))

    def _in_order(self, names: set[str]) -> list[str]:
        return [name for node in self._nodes if (name := node["metadata"]["name"]) in names]

    def _aborts(self, pods: Sequence[dict[str, Any]], truths: dict[str, Truth]) -> dict[str, Truth]:
        """The truths with the errors of all nodes, each of which is asked about alone."""
        names = [node["metadata"]["name"] for node in self._nodes]
        variants = {f"{_name(pod)}--on-{index}": (pod, node) for pod in pods for index, node in enumerate(names)}
        outcomes = self._ask_extended([_renamed(only_on(pod, [node]), name) for name, (pod, node) in variants.items()])
        texts: dict[str, set[str]] = {_name(pod): {truths[_name(pod)].message} for pod in pods}
        for name, (pod, _) in variants.items():
            if outcomes[name].reason == SCHEDULER_ERROR:
                texts[_name(pod)].add(outcomes[name].message.replace(name, _name(pod)))
        return {name: replace(truths[name], messages=frozenset(found)) for name, found in texts.items()}


def _fits_nowhere(outcome: Outcome, verdict: Verdict | None) -> bool:
    return outcome.reason == SCHEDULER_ERROR or (verdict is not None and not verdict.feasible)


def _check_of_one_mind(name: str, first: Outcome, second: Outcome) -> None:
    """Raises AssertionError if the two answers differ: the cluster has changed, or the answer depends on chance.

    For an aborted attempt only the abortion is compared.
    """
    same = first.reason == second.reason
    if same and first.reason == UNSCHEDULABLE:
        same = read(first.message).counts == read(second.message).counts
    if not same:
        raise AssertionError(f"{name} got two verdicts: {first}, then {second}")


def _name(pod: dict[str, Any]) -> str:
    return str(pod["metadata"]["name"])


def _renamed(pod: dict[str, Any], name: str) -> dict[str, Any]:
    return {**pod, "metadata": {**pod["metadata"], "name": name}}


def _last_priority() -> dict[str, Any]:
    head = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": LAST_PRIORITY}}
    return {**head, "value": -2_000_000_000}


def _profile(name: str) -> dict[str, object]:
    return {"profiles": [{"schedulerName": name, "percentageOfNodesToScore": 100}]}
