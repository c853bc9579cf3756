"""One round of questions: pods are created, the scheduler's answer to each is awaited, and the pods are deleted again.

For some pods (another scheduler's, or one with a missing claim) there never is an answer, which can't be observed. So a pod of the lowest
priority is created last. Once the scheduler has answered that one and then is silent for a while, there will be no more answers.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.programs.scheduler.api import Api, PodWatch
from tests.programs.scheduler.claims import Claims, instantiate
from tests.programs.scheduler.resources import RESOURCES, delete_all, namespace_of

#: The number of pods in one round. The scheduler tries them again on every change, so a greater number would take longer.
BATCH = 400
#: The seconds of silence, after the answer to the last pod, after which the other pods count as unanswered.
QUIET_SECONDS = 2.0
ANSWER_SECONDS = 90.0
LAST_PRIORITY = "weighbridge-last"
SILENT, REJECTED, BOUND = "Silent", "Rejected", "Bound"
GATED, UNSCHEDULABLE, SCHEDULER_ERROR = "SchedulingGated", "Unschedulable", "SchedulerError"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a pod: the reason of its PodScheduled condition, or Silent, Rejected or Bound, and its text."""

    reason: str
    message: str = ""


class NoAnswerError(Exception):
    """The scheduler didn't even answer the last pod."""


class Rounds:
    """Asks kube-schedulers about pods, a batch at a time."""

    def __init__(self, api: Api, watch: PodWatch, claims: Claims) -> None:
        self._api = api
        self._watch = watch
        self._claims = claims
        self._count = 0

    def ask(self, pods: Sequence[dict[str, Any]], scheduler: str) -> dict[str, Outcome]:
        """The answer of the scheduler of that name to each pod, by the pod's name. Raises NoAnswerError if it doesn't answer at all."""
        outcomes: dict[str, Outcome] = {}
        for batch in _batches(pods):
            outcomes.update(self._ask_batch(batch, scheduler))
        return outcomes

    def _ask_batch(self, pods: Sequence[dict[str, Any]], scheduler: str) -> dict[str, Outcome]:
        outcomes: dict[str, Outcome] = {}
        waiting: dict[str, str] = {}
        litter: list[dict[str, Any]] = []
        created = self._api.each(lambda pod: self._create(_for_scheduler(pod, scheduler), litter), pods)
        for pod, (uid, outcome) in zip(pods, created, strict=True):
            if outcome is not None:
                outcomes[pod["metadata"]["name"]] = outcome
            else:
                waiting[uid] = pod["metadata"]["name"]
        for uid, outcome in self._answers(set(waiting), scheduler):
            outcomes[waiting[uid]] = outcome
        self._clean(pods, litter)
        return outcomes

    def _create(self, pod: dict[str, Any], litter: list[dict[str, Any]]) -> tuple[str, Outcome | None]:
        """The pod's uid, and its outcome if the API server has refused it."""
        bound = bool(pod["spec"].get("nodeName"))
        # A pod that names its node is bound from the start, and would take room on the node from the others.
        query = "?dryRun=All" if bound else ""
        answer = self._api.call("POST", f"{RESOURCES['Pod'].collection(namespace_of(pod))}{query}", pod)
        if not answer.ok:
            return "", Outcome(REJECTED, answer.message)
        outcome = _outcome(answer.object)
        if not bound:
            litter += instantiate(self._api, answer.object, self._claims)
        return answer.object["metadata"]["uid"], outcome if bound or (outcome is not None and outcome.reason == GATED) else None

    def _answers(self, waiting: set[str], scheduler: str) -> Iterator[tuple[str, Outcome]]:
        """The first answer to each of the pods with these uids."""
        last = self._create_last(scheduler)
        answered_last, heard = False, time.monotonic()
        while waiting or not answered_last:
            uid, outcome = self._next_answer()
            if outcome is not None:
                heard = time.monotonic()
                answered_last = answered_last or uid == last
                if uid in waiting:
                    waiting.discard(uid)
                    yield uid, outcome
            quiet = time.monotonic() - heard
            if answered_last and quiet > QUIET_SECONDS:
                break
            if quiet > ANSWER_SECONDS:
                raise NoAnswerError(f"{scheduler} said nothing for {quiet:.0f} s, with {len(waiting)} pods to answer")
        yield from ((uid, Outcome(SILENT)) for uid in waiting)

    def _next_answer(self) -> tuple[str, Outcome | None]:
        try:
            change = self._watch.changes.get(timeout=0.1)
        except queue.Empty:
            return "", None
        if change is None:
            raise NoAnswerError("the watch on pods has ended")
        pod = change["object"]
        return pod["metadata"]["uid"], _outcome(pod) if change["type"] in {"ADDED", "MODIFIED"} else None

    def _create_last(self, scheduler: str) -> str:
        self._count += 1
        containers = [{"name": "none", "image": "example.invalid/none"}]
        # The last pod must never be bound, since the next pods need empty nodes.
        spec = {"containers": containers, "priorityClassName": LAST_PRIORITY, "nodeSelector": {"weighbridge.dev/last": "nowhere"}}
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"the-last-of-{self._count}"}, "spec": spec}
        path = RESOURCES["Pod"].collection("default")
        return str(self._api.must("POST", path, _for_scheduler(pod, scheduler))["metadata"]["uid"])

    def _clean(self, pods: Sequence[dict[str, Any]], litter: list[dict[str, Any]]) -> None:
        for namespace in sorted({"default", *map(namespace_of, pods)}):
            self._api.must("DELETE", f"{RESOURCES['Pod'].collection(namespace)}?gracePeriodSeconds=0")
        delete_all(self._api, litter)


def _batches(pods: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    for start in range(0, len(pods), BATCH):
        yield pods[start : start + BATCH]


def _for_scheduler(pod: dict[str, Any], scheduler: str) -> dict[str, Any]:
    """The pod for the scheduler, unless it asks for one that doesn't run."""
    if pod["spec"].get("schedulerName", "default-scheduler") != "default-scheduler":
        return pod
    return {**pod, "spec": {**pod["spec"], "schedulerName": scheduler}}


def _outcome(pod: dict[str, Any]) -> Outcome | None:
    if pod["spec"].get("nodeName"):
        return Outcome(BOUND, pod["spec"]["nodeName"])
    for condition in pod.get("status", {}).get("conditions") or ():
        if condition["type"] == "PodScheduled":
            return Outcome(condition.get("reason", ""), condition.get("message", ""))
    return None
