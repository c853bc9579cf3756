"""The placements that a state remembers are those that a new state would compute, whatever changes and whatever pods ask."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, Final

import pytest

from tests.placement.clusters import node, pod
from tests.programs.scheduler.suite import MAKERS, scenario
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, ObjectStore, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.fill.taints import missing_taints
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation, name_of, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement import request_pods
from weighbridge.policies.placement.asked import READ, READ_WITH_AUTOSCALERS, READ_WITH_CLAIMS, READ_WITH_POOLS, asked_by_pod
from weighbridge.policies.placement.placement import place
from weighbridge.policies.placement.request_pods import fits_now, one_placed, outlook_of, placed
from weighbridge.policies.pods.workloads import claims_of

_PODS: Final = 30
_GPU: Final = "amd.com/gpu"


class Recording(ObjectStore):
    """A view of another store's objects. It notes the kinds that are asked for, and remembers no placements."""

    def __init__(self, under: ObjectStore) -> None:
        super().__init__()
        self.under, self.asked = under, set[tuple[str, str]]()

    def _ask(self, name: str, group: str, kind: str, *arguments: Any) -> Any:
        self.asked.add((group, kind.partition("/")[0]))
        return getattr(self.under, name)(group, kind, *arguments)

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        return self._ask("get", group, kind, namespace, name)

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        return iter(self._ask("list", group, kind, namespace))

    def where(self, group: str, kind: str, key: Any, value: Hashable) -> Iterable[JSONObject]:
        found: Iterable[JSONObject] = self._ask("where", group, kind, key, value)
        return found

    def readings(self, group: str, kind: str, reader: Any) -> Any:
        return self._ask("readings", group, kind, reader)

    def readings_where(self, group: str, kind: str, reader: Any, keys: Any, value: Hashable) -> Any:
        return self._ask("readings_where", group, kind, reader, keys, value)

    def knows_all(self, group: str, kind: str) -> bool:
        return bool(self._ask("knows_all", group, kind))

    def number_of(self, group: str, kind: str) -> int:
        return int(self._ask("number_of", group, kind))

    def beneath(self, _: Iterable[tuple[str, str]]) -> ObjectStore:
        return self

    def once(self, _: Sequence[tuple[str, str]], __: Hashable, work_out: Callable[[], Any], *, by: Sequence[object] = ()) -> Any:
        return work_out()


def deployment(of: JSONObject, replicas: int = 1) -> JSONObject:
    metadata = {"name": name_of(of), "namespace": namespace_of(of) or "default"}
    template = {"metadata": {"labels": of["metadata"].get("labels", {})}, "spec": of["spec"]}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"replicas": replicas, "template": template}}


def asks(asking: JSONObject, replicas: int = 1) -> dict[str, Callable[[Facts], Any]]:
    """Every remembered answer about a pod."""
    made, namespace = deployment(asking, replicas), namespace_of(asking) or "default"
    gvk = GroupVersionKind.from_object(made)
    assert gvk is not None

    def whole(facts: Facts) -> Any:
        found = placed([made], facts, DEFAULT, namespace)
        return None if found is None else (*shown(found[0]), found[1].outlook, found[1].pod, list(found[2]))

    def one(facts: Facts) -> Any:
        found = one_placed(made, (), facts, DEFAULT, namespace)
        return None if found is None else shown(found)

    def fits(facts: Facts) -> bool:
        return fits_now(Request("u", Operation.CREATE, gvk, {}, namespace=namespace), [made], facts)

    return {
        "fits": fits,
        "one": one,
        "never": lambda facts: outlook_of([made], facts, DEFAULT, namespace),
        "taints": lambda facts: missing_taints(asking, _GPU, (), facts, DEFAULT),
        "placed": whole,
    }


def shown(placement: Any) -> tuple[Any, ...]:
    parts = (placement.feasible, placement.rejected, placement.message, placement.nearest, placement.unchecked, placement.on_expected)
    return (*parts, list(placement.prospects), placement.wish, placement.apart)


#: The kinds on which each answer may depend: without claims, and with them.
DEPENDS: Final = {
    "fits": (READ, READ_WITH_CLAIMS),
    "one": (READ_WITH_AUTOSCALERS,) * 2,
    "never": (READ_WITH_AUTOSCALERS,) * 2,
    "taints": (READ_WITH_POOLS,) * 2,
    "placed": (READ_WITH_AUTOSCALERS,) * 2,
}


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_is_remembered_that_depends_on_other_kinds(name: str) -> None:
    found = scenario(name, _PODS, 1)
    facts = from_objects(found.objects, Definitions())
    for asking in found.pods:
        has_claims = any("persistentVolumeClaim" in volume for volume in asking["spec"].get("volumes", ())) or claims_of(deployment(asking))
        for what, ask in asks(asking).items():
            store = Recording(facts.objects)
            ask(replace(facts, objects=store))
            assert store.asked <= set(DEPENDS[what][bool(has_claims)]), (what, asking)


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "none"])
def test_after_any_change_a_state_says_what_a_new_one_would_say(name: str) -> None:
    found = scenario(name, 8, 2)
    objects = [obj for obj in found.objects if obj["kind"] != "Node"]
    extent = Extent(frozenset(from_objects(found.objects, Definitions()).objects.kinds()))
    kept = from_objects(found.objects, Definitions(), extent=extent)
    questions = [ask for number, asking in enumerate(found.pods) for ask in asks(asking, 1 + number % 2).values()]
    order = list(found.objects)

    def fresh(*, without: JSONObject | None = None) -> list[Any]:
        state = from_objects((obj for obj in order if obj is not without), Definitions(), extent=extent)
        return [ask(state) for ask in questions]

    assert [ask(kept) for ask in questions] == fresh()
    for gone in objects[:: max(1, len(objects) // 6)]:
        kind = GroupVersionKind.from_object(gone)
        assert kind is not None
        kept.objects.discard(kind.group, kind.kind, namespace_of(gone), name_of(gone))
        assert [ask(kept) for ask in questions] == fresh(without=gone), gone
        # An object that comes back comes last.
        order = [*(obj for obj in order if obj is not gone), gone]
        kept.objects.put(gone)
        assert [ask(kept) for ask in questions] == fresh(), gone
    if kept.inventory is not None:
        gone = next(obj for obj in order if obj["kind"] == "Node")
        less = replace(kept, inventory=kept.inventory.without_node(name_of(gone)))
        assert [ask(less) for ask in questions] == fresh(without=gone)
        assert [ask(kept) for ask in questions] == fresh()


def otherwise(own: JSONObject) -> JSONObject:
    """The pod with another name, other labels, and other images, commands and ports of its own in its containers."""
    other = deepcopy(own)
    other["metadata"] |= {"name": "another", "labels": {"some": "other"}, "annotations": {"a": "b"}}
    other["metadata"] |= {"namespace": own["metadata"]["namespace"]} if "namespace" in own["metadata"] else {}
    probe = {"httpGet": {"path": "/", "port": 1}}
    for held in (*other["spec"]["containers"], *other["spec"].get("initContainers", ())):
        held |= {"args": ["--other"], "command": ["x"], "env": [{"name": "A", "value": "b"}], "envFrom": [], "image": "other:1"}
        held |= {"imagePullPolicy": "Always", "lifecycle": {}, "livenessProbe": probe, "readinessProbe": probe, "startupProbe": probe}
        held |= {
            "ports": [{"containerPort": 9}],
            "securityContext": {"runAsUser": 1},
            "volumeMounts": [],
            "workingDir": "/x",
        }
        held |= {"stdin": True, "tty": True, "terminationMessagePath": "/y", "terminationMessagePolicy": "File", "workingDir": "/x"}
    return other


@pytest.mark.parametrize("name", MAKERS)
def test_pods_that_ask_for_the_same_are_placed_alike(name: str) -> None:
    found = scenario(name, _PODS, 3)
    facts = from_objects(found.objects, Definitions())
    alike = 0
    for own in found.pods:
        other = otherwise(own)
        if content_of(asked_by_pod(own)) != content_of(asked_by_pod(other)):
            continue
        alike += 1
        one, another = (place(asked, facts) for asked in (own, other))
        assert [text.replace("another", name_of(own)) for text in (another.message, *another.nearest)] == [one.message, *one.nearest]
        assert shown(replace(another, message="", nearest=[])) == shown(replace(one, message="", nearest=[]))
    assert alike or name not in ("mixed", "amd")


def test_equal_pods_are_placed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counting(call: Callable[..., Any], name: str, *arguments: Any, **options: Any) -> Any:
        asked.append(name)
        return call(*arguments, **options)

    for name in ("place", "some_node_takes"):
        monkeypatch.setattr(request_pods, name, partial(counting, getattr(request_pods, name), name))
    facts = from_objects([node(allocatable={_GPU: "1"}), node("m", taints=[{"key": _GPU, "effect": "NoSchedule"}])], Definitions())

    def work(count: int) -> int:
        asked.clear()
        for number in range(count):
            for requests in ({"cpu": "1"}, {_GPU: "2"}, {"cpu": "999"}):
                asking = otherwise(pod(requests))
                asking["metadata"]["name"] = f"p{number}"
                for ask in asks(asking).values():
                    ask(facts)
        return len(asked)

    assert work(8) > 0
    assert work(16) == 0


def test_a_remembered_refusal_names_the_pod_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counting(*arguments: Any, **options: Any) -> Any:
        asked.append("place")
        return place(*arguments, **options)

    monkeypatch.setattr(request_pods, "place", counting)
    extent = Extent(frozenset({("scheduling.k8s.io", "PriorityClass")}))
    facts = from_objects([node(allocatable={_GPU: "1"})], Definitions(), extent=extent)
    for number in range(3):
        asking = pod({_GPU: "1"}, priorityClassName="high")
        asking["metadata"]["name"] = f"p{number}"
        made = deployment(asking)
        found = placed([made], facts, DEFAULT, "default")
        assert found is not None
        said = f'pods "p{number}-" is forbidden: no PriorityClass with name high was found'
        assert (found[0].message, found[1].message, found[1].outlook.value) == (said, said, "later")
        one = one_placed(made, (), facts, DEFAULT, "default")
        assert one is not None
        assert one.message == said
    assert len(asked) == 2


def test_a_refusal_before_nodes_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counting(*arguments: Any, **options: Any) -> Any:
        asked.append("place")
        return place(*arguments, **options)

    monkeypatch.setattr(request_pods, "place", counting)
    facts = from_objects([node("a"), node("b")], Definitions(), extent=Extent(frozenset({("", "PersistentVolumeClaim")})))
    volumes = [{"name": "v", "persistentVolumeClaim": {"claimName": "weights"}}]
    own = [{"name": "v", "ephemeral": {"volumeClaimTemplate": {"spec": {"resources": {"requests": {"storage": "1Gi"}}}}}}]
    for number in range(3):
        asking = pod(volumes=volumes)
        asking["metadata"]["name"] = f"p{number}"
        found = placed([deployment(asking)], facts, DEFAULT, "default")
        assert found is not None
        said = 'persistentvolumeclaim "weights" not found'
        assert found[0].message == f"0/2 nodes are available: {said}. not found"
        assert found[0].rejected == {"a": [said], "b": [said]}
        assert (found[0].feasible, found[0].fits, list(found[0].absent)) == ([], False, ["weights"])
    # Once with the claim, and once without it.
    assert len(asked) == 2
    for number in range(2):
        asking = pod(volumes=own)
        asking["metadata"]["name"] = f"p{number}"
        # A claim that is named after its pod is part of what is asked.
        found = placed([asking], facts, DEFAULT, "default")
        assert found is not None
        assert f"p{number}-v" in found[0].message
