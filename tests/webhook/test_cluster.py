"""The facts from reflectors: nodes, CRDs and objects, and the messages if they are old."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.kinds import CRDS, NODES, ReadKind
from weighbridge.policies.families import family_of
from weighbridge.policies.families.installed import is_installed
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.cluster.live_facts import Cluster, watched_kinds
from weighbridge.webhook.cluster.reflector import WatchState
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.inputs.facts import bundled_definitions

MODELS = ReadKind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model"), "models")


class Silent:
    """A server that is never asked for objects, and that answers heartbeats while `there` is set."""

    def __init__(self) -> None:
        self.there = True
        self.version = ""

    async def get(self, path: str) -> JSONObject:
        assert path == "/version"
        if not self.there:
            raise APIError(0, "", "no answer")
        return {"gitVersion": self.version}

    def pages(self, path: str, **query: str) -> AsyncIterator[JSONObject]:
        raise NotImplementedError

    def events(self, path: str, **query: str | int) -> AsyncIterator[JSONObject]:
        raise NotImplementedError


def a_cluster(longest_age: float = 600) -> tuple[Cluster, list[float]]:
    now = [0.0]
    return Cluster(Silent(), bundled_definitions(), longest_age=longest_age, clock=lambda: now[0]), now


def said(cluster: Cluster) -> str:
    """The message about the age of facts for a rule that needs all kinds."""
    staleness = cluster.facts().staleness
    return staleness.note({reflector.kind.known_as for reflector in cluster.reflectors}) if staleness is not None else ""


def a_node(name: str, gpus: int) -> Node:
    return Node.from_object({"metadata": {"name": name}, "status": {"allocatable": {"amd.com/gpu": str(gpus)}}})


def test_nodes_are_the_inventory() -> None:
    cluster, _ = a_cluster()
    assert cluster.facts().inventory is None
    cluster.replace(NODES, [a_node("a", 2)])
    cluster.put(NODES, a_node("b", 8))
    inventory = cluster.facts().inventory
    assert inventory is not None
    assert inventory.offers == {"amd.com/gpu": 8}
    cluster.discard(NODES, {"metadata": {"name": "b"}})
    later = cluster.facts().inventory
    assert later is not None
    assert later.offers == {"amd.com/gpu": 2}
    assert inventory.offers == {"amd.com/gpu": 8}
    cluster.unknown(NODES)
    assert cluster.facts().inventory is None


def test_only_the_cluster_s_own_crds_count_unless_they_may_not_be_read() -> None:
    cluster, _ = a_cluster()
    cluster.replace(CRDS, [])
    assert cluster.facts().definitions.get(MODELS.gvk) is None
    crd = next(crd for crd in bundled_crds() if crd["metadata"]["name"] == "models.inference.llmkube.dev")
    cluster.put(CRDS, crd)
    assert cluster.facts().definitions.get(MODELS.gvk) is not None
    cluster.discard(CRDS, crd)
    assert cluster.facts().definitions.get(MODELS.gvk) is None
    cluster.unknown(CRDS)
    assert cluster.facts().definitions.get(MODELS.gvk) is not None


def test_facts_are_those_of_the_servers_release_also_after_its_upgrade() -> None:
    server = Silent()
    cluster = Cluster(server, bundled_definitions())
    crd = next(crd for crd in bundled_crds() if crd["metadata"]["name"] == "models.inference.llmkube.dev")

    def after(version: str) -> tuple[str, str]:
        """The releases of all definitions and of one, once the server reports a version."""
        server.version = version
        asyncio.run(cluster.heartbeat.beat())
        definition = cluster.facts().definitions.get(MODELS.gvk)
        assert definition is not None
        return cluster.facts().definitions.server.name, definition.server.name

    cluster.unknown(CRDS)
    assert after("v1.35.4") == ("1.35", "1.35")
    cluster.replace(CRDS, [crd])
    assert after("v1.35.5") == ("1.35", "1.35")
    assert after("v1.37.2") == ("1.37", "1.37")
    assert after("") == ("1.37", "1.37")


def test_add_ons_are_known_by_their_crds() -> None:
    def installed() -> bool | None:
        return is_installed("pyrra.dev", cluster.facts())

    def crd(group: str) -> JSONObject:
        names = {"kind": "Objective", "plural": "objectives"}
        version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        spec = {"group": group, "names": names, "scope": "Namespaced", "versions": [version]}
        metadata = {"name": f"objectives.{group}"}
        return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": metadata, "spec": spec}

    cluster, _ = a_cluster()
    assert installed() is None
    cluster.replace(CRDS, list(bundled_crds())[:1])
    assert installed() is False
    kept = [found for group in ("pyrra.dev", "other.example.com") if (found := cluster._transformed(crd(group))) is not None]
    assert [found["spec"]["group"] for found in kept] == ["pyrra.dev"]
    cluster.put(CRDS, kept[0])
    assert installed() is True
    cluster.discard(CRDS, kept[0])
    assert installed() is False
    cluster.unknown(CRDS)
    assert installed() is None


def test_objects_of_a_kind_are_complete_until_they_are_out_of_reach() -> None:
    cluster, _ = a_cluster()
    store = cluster.facts().objects
    assert not store.knows_all("inference.llmkube.dev", "Model")
    cluster.replace(MODELS, [])
    assert store.knows_all("inference.llmkube.dev", "Model")
    model = {"apiVersion": MODELS.gvk.api_version, "kind": "Model", "metadata": {"name": "m", "namespace": "n"}}
    cluster.put(MODELS, model)
    assert store.get("inference.llmkube.dev", "Model", "n", "m") == model
    cluster.unknown(MODELS)
    assert not store.knows_all("inference.llmkube.dev", "Model")


def test_old_facts_say_so_and_in_the_end_do_not_count() -> None:
    cluster, now = a_cluster(longest_age=100)
    cluster.replace(NODES, [a_node("a", 2)])
    cluster.replace(MODELS, [])
    reflector = next(reflector for reflector in cluster.reflectors if reflector.kind == NODES)
    reflector.state = WatchState.INTERRUPTED
    now[0] = 3.0
    assert said(cluster) == ""
    now[0] = 40.0
    assert said(cluster) == "facts are 40 s old: the watch of nodes is interrupted"
    assert cluster.facts().inventory is not None
    now[0] = 101.0
    assert said(cluster) == "facts are 101 s old: the watch of nodes is interrupted; they no longer count"
    cluster.unknown(NODES)
    assert cluster.facts().inventory is None
    assert cluster.facts().objects.knows_all("inference.llmkube.dev", "Model")


@pytest.mark.parametrize(("count", "more"), [(3, ""), (4, ", ...")])
def test_at_most_three_interrupted_watches_are_named(count: int, more: str) -> None:
    cluster, now = a_cluster(longest_age=100)
    for reflector in cluster.reflectors[:count]:
        reflector.state, reflector.is_settled = WatchState.INTERRUPTED, True
    for reflector in cluster.reflectors[count:]:
        reflector.state, reflector.is_settled, reflector._lives = WatchState.FOLLOWING, True, True
    now[0] = 40.0
    named = ", ".join(reflector.kind.resource for reflector in cluster.reflectors[:3])
    assert said(cluster) == f"facts are 40 s old: the watch of {named}{more} is interrupted"


def test_only_who_needs_a_kind_is_told_that_its_watch_is_interrupted() -> None:
    cluster, now = a_cluster()
    for reflector in cluster.reflectors:
        reflector.state, reflector.is_settled = WatchState.FOLLOWING, True
        reflector._lives = reflector.kind.gvk.kind not in {"Model", "AIMModel"}
    now[0] = 40.0
    staleness = cluster.facts().staleness
    assert staleness is not None
    families = {group: family_of(group) for group in ("inference.llmkube.dev", "aim.eai.amd.com", "ome.io")}
    notes = {group: staleness.note(family.needs("InferenceService")) for group, family in families.items() if family is not None}
    assert notes == {
        "inference.llmkube.dev": "facts are 40 s old: the watch of models.inference.llmkube.dev is interrupted",
        "aim.eai.amd.com": "facts are 40 s old: the watch of aimmodels.aim.eai.amd.com, aimmodels.aim.silogen.ai is interrupted",
        "ome.io": "",
    }


def test_all_facts_count_no_longer_once_the_server_has_been_silent_for_too_long() -> None:
    server, now = Silent(), [0.0]
    cluster = Cluster(server, bundled_definitions(), longest_age=100, clock=lambda: now[0])
    cluster.replace(MODELS, [])
    server.there = False
    for seconds, counts in ((50.0, True), (101.0, False)):
        now[0] = seconds
        asyncio.run(cluster.heartbeat.beat())
        assert cluster.facts().objects.knows_all("inference.llmkube.dev", "Model") is counts
    assert said(cluster) == "facts are 101 s old: the API server doesn't answer; they no longer count"


def test_facts_age_while_the_server_gives_no_sign_of_life_even_if_no_watch_has_broken() -> None:
    server, now = Silent(), [0.0]
    cluster = Cluster(server, bundled_definitions(), longest_age=100, clock=lambda: now[0])
    cluster.replace(NODES, [a_node("a", 2)])
    nodes = next(reflector for reflector in cluster.reflectors if reflector.kind == NODES)
    nodes.state, nodes.is_settled, nodes._lives = WatchState.FOLLOWING, True, True
    server.there = False
    now[0] = 8.0
    asyncio.run(cluster.heartbeat.beat())
    assert said(cluster) == "facts are 8 s old: the API server doesn't answer"
    assert cluster.age(nodes) == 8.0
    server.there = True
    asyncio.run(cluster.heartbeat.beat())
    assert (said(cluster), cluster.age(nodes)) == ("", 0.0)


def test_facts_age_from_the_last_answer_however_long_nothing_has_changed() -> None:
    server, now = Silent(), [0.0]
    cluster = Cluster(server, bundled_definitions(), longest_age=100, clock=lambda: now[0])
    cluster.replace(NODES, [a_node("a", 2)])
    nodes = next(reflector for reflector in cluster.reflectors if reflector.kind == NODES)
    nodes.state, nodes.is_settled, nodes._lives = WatchState.FOLLOWING, True, True
    now[0] = 64.0
    asyncio.run(cluster.heartbeat.beat())
    now[0] = 65.0
    nodes.state, nodes._lives, nodes._ended = WatchState.INTERRUPTED, False, 65.0
    assert (said(cluster), cluster.age(nodes)) == ("", 1.0)
    now[0] = 70.0
    assert said(cluster) == ""
    now[0] = 71.0
    assert said(cluster) == "facts are 7 s old: the watch of nodes is interrupted"


def test_each_kind_is_watched_once_and_no_secret_is() -> None:
    kinds = [kind.known_as for kind in watched_kinds()]
    assert len(kinds) == len(set(kinds))
    assert not {("", "Secret"), ("", "ConfigMap")} & set(kinds)
    assert [kind.path for kind in watched_kinds() if kind.name] == [
        "/api/v1/namespaces/kube-system/configmaps",
        "/api/v1/namespaces/llmaz-system/configmaps",
        "/api/v1/namespaces/ome/configmaps",
        "/api/v1/namespaces/ome/configmaps",
    ]
