"""Compares kube-scheduler's verdicts on clusters with running pods, and the pods that it preempts, with ours.

Running pods are bound by their `nodeName`. Without a kubelet only a preemption changes them, after which they are created again. One
scheduler has no preemption, and an extender that refuses every node that fits, so its message names every node with room. The other has the
default configuration. A pod that may preempt is shown to it alone.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Self

from tests.programs.control_plane.build import Assets, find_assets, kubernetes_version
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.scheduler.api import Api, PodWatch
from tests.programs.scheduler.claims import Claims
from tests.programs.scheduler.extender import FEASIBLE, Extender
from tests.programs.scheduler.generated.busy import LAB, BusyScenario, scenario
from tests.programs.scheduler.generated.case import JSON
from tests.programs.scheduler.resources import create, create_all, delete_all, put_status
from tests.programs.scheduler.rounds import LAST_PRIORITY, Outcome, Rounds
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.occupancy import Occupancy
from weighbridge.policies.ground.server_release import judging, nearest
from weighbridge.policies.placement.now.today import Today, today
from weighbridge.policies.placement.placement import asked
from weighbridge.policies.pods.running_pod import running_pod

WITH_ROOM, ORDINARY = "weighbridge-with-room", "weighbridge-ordinary"
SECONDS = 30.0
_LAB_PODS = f"/api/v1/namespaces/{LAB}/pods"
_FOUND = re.compile(r" preemption: found a potential placement for pod on node (\S+), preempting (\d+) victims$")


@dataclass(frozen=True, slots=True)
class BusyTruth:
    """The nodes with room, the scheduler's message if there is none, and the pods that it preempts on a node."""

    feasible: frozenset[str]
    message: str = ""
    node: str = ""
    victims: frozenset[str] = frozenset()


class BusyJudge:
    """A control plane for busy clusters."""

    def __init__(self, assets: Assets) -> None:
        self._plane = ControlPlane(assets, apiserver_flags=("--delete-collection-workers=8",))
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._plane)
            self._api = stack.enter_context(Api(self._plane))
            self._extender = stack.enter_context(Extender())
            self._watch = stack.enter_context(PodWatch(self._api))
            head = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": LAST_PRIORITY}}
            create(self._api, {**head, "value": -2_000_000_000})
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def asked_about(self, made: BusyScenario) -> tuple[BusyScenario, dict[str, BusyTruth]]:
        """The scenario with the pods that run as the server has them, and the truth about each pod by its name."""
        with self._cluster(made):
            running = self._api.must("GET", _LAB_PODS)["items"]
            rounds = Rounds(self._api, self._watch, Claims.of(()))
            pods = [case.pod for case in made.cases]
            first = {name: _with_room(outcome) for name, outcome in rounds.ask(pods, WITH_ROOM).items()}
            without = [pod for pod in pods if not first[_name(pod)]]
            meek = [pod for pod in without if not _may_preempt(pod, made.running)]
            texts = {name: BusyTruth(frozenset(), outcome.message) for name, outcome in rounds.ask(meek, ORDINARY).items()}
            texts |= {_name(pod): self._alone(pod, made) for pod in without if pod not in meek}
        return replace(made, running=running), {name: texts.get(name, BusyTruth(found)) for name, found in first.items()}

    @contextmanager
    def _cluster(self, made: BusyScenario) -> Iterator[None]:
        create_all(self._api, made.cluster)
        self._run(made.running)
        try:
            without = {"plugins": {"postFilter": {"disabled": [{"name": "*"}]}}, "percentageOfNodesToScore": 100}
            extended = {"profiles": [{"schedulerName": WITH_ROOM, **without}], "extenders": [self._extender.setting]}
            self._plane.start_scheduler(WITH_ROOM, extended)
            profile = {"schedulerName": ORDINARY, "percentageOfNodesToScore": 100}
            self._plane.start_scheduler(ORDINARY, {"profiles": [profile]})
            yield
        finally:
            for name in (WITH_ROOM, ORDINARY):
                self._plane.stop_scheduler(name)
            delete_all(self._api, [*made.running, *made.cluster])

    def _run(self, pods: Iterable[JSON]) -> None:
        def start(pod: JSON) -> None:
            create(self._api, pod)
            put_status(self._api, pod)

        self._api.each(start, pods)

    def _alone(self, pod: JSON, made: BusyScenario) -> BusyTruth:
        """The truth about a pod that may preempt others; these are created again afterwards."""
        path = "/api/v1/namespaces/default/pods"
        uid = self._api.must("POST", path, {**pod, "spec": {**pod["spec"], "schedulerName": ORDINARY}})["metadata"]["uid"]
        message = self._condition(uid)
        node, victims = "", frozenset[str]()
        if "preemption: 0/" not in message and "not eligible" not in message:
            node, victims = self._preempted(f"{path}/{_name(pod)}")
        delete_all(self._api, [pod])
        gone = [one for one in made.running if _name(one) in victims]
        delete_all(self._api, gone)
        self._run(gone)
        if gone:
            # The scheduler learns of them by a watch.
            time.sleep(0.3)
        return BusyTruth(frozenset(), message, node, victims)

    def _condition(self, uid: str) -> str:
        """The message of a pod's first condition."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            change = self._watch.changes.get(timeout=SECONDS)
            assert change is not None
            for condition in change["object"].get("status", {}).get("conditions") or ():
                if change["object"]["metadata"]["uid"] == uid and condition["type"] == "PodScheduled":
                    return str(condition.get("message", ""))
        raise AssertionError("the scheduler said nothing")

    def _preempted(self, path: str) -> tuple[str, frozenset[str]]:
        """The node that a pod is nominated for, and the pods that are preempted for it."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            node = self._api.must("GET", path)["status"].get("nominatedNodeName", "")
            going = [
                pod for pod in self._api.must("GET", f"/api/v1/namespaces/{LAB}/pods")["items"] if "deletionTimestamp" in pod["metadata"]
            ]
            if node and going:
                # All victims are deleted at the same time; the last may come a moment later.
                time.sleep(0.15)
                every = self._api.must("GET", f"/api/v1/namespaces/{LAB}/pods")["items"]
                return node, frozenset(_name(pod) for pod in every if "deletionTimestamp" in pod["metadata"])
            time.sleep(0.02)
        raise AssertionError(f"nothing went for {path}")

    def _going(self) -> frozenset[str]:
        """The pods that are being deleted."""
        return frozenset(_name(pod) for pod in self._api.must("GET", _LAB_PODS)["items"] if "deletionTimestamp" in pod["metadata"])


def _with_room(outcome: Outcome) -> frozenset[str]:
    return frozenset(re.findall(rf"\d+ {FEASIBLE}([\w.-]+?)(?=, |\.$)", outcome.message))


def _may_preempt(pod: JSON, running: Sequence[JSON]) -> bool:
    return pod["spec"].get("priorityClassName", "usual") not in ("low", "meek") and bool(running)


def _name(pod: JSON) -> str:
    return str(pod["metadata"]["name"])


def compare(made: BusyScenario, truths: Mapping[str, BusyTruth]) -> list[str]:
    """The differences of our answers from the truth, a line for each pod."""
    kinds = {("", "Node"), ("", "Namespace"), ("", "LimitRange"), ("", "ResourceQuota"), ("scheduling.k8s.io", "PriorityClass")}
    facts = from_objects(made.cluster, Definitions(), extent=Extent(complete=frozenset(kinds)))
    occupancy = Occupancy.of(pod for pod in map(running_pod, made.running) if pod is not None)
    found = []
    for case in made.cases:
        question = asked(case.pod, facts, "default")
        assert question is not None, case.pod
        answer = today(question, occupancy, whole=True)
        wrong = _difference(answer, truths[case.name])
        if wrong:
            found.append(f"{made.name} {case.name}: {wrong}")
    return found


def _difference(ours: Today, theirs: BusyTruth) -> str:
    if set(ours.feasible) != theirs.feasible:
        return f"room on {sorted(ours.feasible)}, truly on {sorted(theirs.feasible)}"
    if bool(ours.candidates) != bool(theirs.node):
        return f"{ours.candidates} makes room, truly {theirs.node or 'nothing'} ({theirs.message})"
    if not theirs.node:
        return "" if ours.message == theirs.message else f"{ours.message!r}, truly {theirs.message!r}"
    meant = next((one for one in ours.candidates if one.node == theirs.node), None)
    if meant is None:
        return f"room by preemption on {[one.node for one in ours.candidates]}, truly on {theirs.node}"
    if meant.victims is None:
        return _without_found(ours, theirs)
    victims = frozenset(victim.name.partition("/")[2] for victim in meant.victims)
    if victims != theirs.victims:
        return f"{sorted(victims)} would go on {meant.node}, truly {sorted(theirs.victims)}"
    return _without_found(ours, theirs)


def _without_found(ours: Today, theirs: BusyTruth) -> str:
    """The difference of the messages. If several nodes are possible, or victims aren't known, ours doesn't name the chosen node."""
    truth = theirs.message if _FOUND.search(ours.message) else _FOUND.sub("", theirs.message)
    return "" if ours.message == truth else f"{ours.message!r}, truly {theirs.message!r}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares on a number of clusters (12, or the first argument) with 50 pods each."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    clusters, first = int(given[0]) if given else 12, int(given[1]) if len(given) > 1 else 1
    assets = find_assets()
    if assets is None or not assets.has_scheduler:
        print("there is no kube-scheduler; build it with: make control-plane", file=sys.stderr)
        return 2
    release = nearest(kubernetes_version())
    assert release is not None
    wrong: list[str] = []
    pods = without = preempting = 0
    with BusyJudge(assets) as judge:
        for seed in range(first, first + clusters):
            made = scenario(seed, 50)
            start = time.monotonic()
            made, truths = judge.asked_about(made)
            with judging(release):
                wrong += compare(made, truths)
            pods += len(truths)
            without += sum(not truth.feasible for truth in truths.values())
            preempting += sum(bool(truth.node) for truth in truths.values())
            print(f"{made.name}: {len(made.running)} pods run, {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
    for line in wrong:
        print(line)
    print(
        f"{pods - len(wrong)} of {pods} pods as kube-scheduler {release.name} has it; {without} without a node, {preempting} by preemption"
    )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
