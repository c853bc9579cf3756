"""A server that follows a cluster: it accepts no call before it has read everything, and shows the kinds that it follows and the age of
their facts.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest

from tests.webhook.held_api import HeldAPI
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.labelled_config_maps import slim
from weighbridge.webhook.cluster.live_facts import watched_kinds
from weighbridge.webhook.server import config_maps, live_cluster
from weighbridge.webhook.server.config_maps import await_config_maps, follow_config_maps
from weighbridge.webhook.server.live_cluster import check_reachable, follow
from weighbridge.webhook.server.publisher import Publisher
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.texts.errors import InputError

CONFIG_MAPS = "/api/v1/configmaps"


class Watched(HeldAPI):
    """Sends each path's objects, then those that are `put`, and waits; it sends nothing before `hold` is set."""

    def __init__(self, objects: dict[str, list[JSONObject]]) -> None:
        super().__init__({"/version": {}})
        self._objects = objects
        self.hold = asyncio.Event()
        self.more: asyncio.Queue[JSONObject] = asyncio.Queue()

    async def events(self, path: str, **query: str | int) -> AsyncIterator[JSONObject]:
        """Events for the existing objects, a bookmark at their end, and events for later objects."""
        self.queries[path] = query
        await self.hold.wait()
        if path not in self._objects:
            raise APIError(403, "Forbidden", f"{path}: no")
        yield {}
        for obj in self._objects[path]:
            yield {"type": "ADDED", "object": obj}
        yield {"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "1", "annotations": {"k8s.io/initial-events-end": "true"}}}}
        while True:
            yield await self.more.get()


async def until(condition: Callable[[], bool]) -> None:
    """Lets other tasks run until the condition holds."""
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.001)


def run_beside(task: Coroutine[Any, Any, None], steps: Coroutine[Any, Any, None]) -> None:
    """Runs the steps while the task runs, and then ends the task."""

    async def run() -> None:
        running = asyncio.ensure_future(task)
        try:
            await steps
            assert not running.done()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())


def sample(service: Service, metric: str, resource: str) -> float | None:
    """The value of a metric."""
    return service.metrics.registry.get_sample_value(f"weighbridge_{metric}", {"resource": resource})


# --- sections of the configuration ---


def config_map(namespace: str, text: str, **extra: Any) -> JSONObject:
    """A ConfigMap as a server sends it."""
    metadata = {"namespace": namespace, "name": "c", "resourceVersion": "2", "labels": {"weighbridge.dev/configuration": "true"}}
    return {"metadata": metadata, "data": {"configuration.yaml": text}, **extra}


HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: NamespaceConfiguration\n"


@pytest.mark.parametrize(
    ("obj", "kept"),
    [
        (config_map("a", "text"), {"metadata": {"namespace": "a", "name": "c"}, "data": {"configuration.yaml": "text"}}),
        (
            config_map("a", "text", data={"other": "x", "configuration.yaml": ""}, binaryData={"x": ""}),
            {"metadata": {"namespace": "a", "name": "c"}, "data": {"configuration.yaml": ""}},
        ),
        ({"metadata": {"name": "c", "uid": "x"}, "data": {"other": "x"}}, {"metadata": {"name": "c"}, "data": {}}),
        ({}, {"metadata": {}, "data": {}}),
    ],
)
def test_of_a_config_map_its_name_its_label_and_the_one_text_are_kept(obj: JSONObject, kept: JSONObject) -> None:
    metadata = {**kept["metadata"], "labels": {"weighbridge.dev/configuration": "true"}}
    assert slim(obj) == {"apiVersion": "v1", "kind": "ConfigMap", **kept, "metadata": metadata}


def test_calls_wait_until_it_is_known_what_namespaces_narrow(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_maps, "_POLL_SECONDS", 0)
    publisher = Publisher(service, DEFAULT)
    await_config_maps(service)
    api = Watched({CONFIG_MAPS: [config_map("a", f"{HEAD}references: deny\n")]})
    made = api.connected(monkeypatch)

    def sections() -> list[str]:
        return sorted(placed.namespace for placed in service.config.brought)

    async def steps() -> None:
        await until(lambda: CONFIG_MAPS in api.queries)
        assert service.readiness.reasons == ["namespaces' configuration: not read yet"]
        assert sample(service, "facts_known", "configmaps") == 0
        api.hold.set()
        await until(lambda: not service.readiness.awaited)
        assert sections() == ["a"]
        assert sample(service, "facts_known", "configmaps") == 1
        assert sample(service, "facts_age_seconds", "configmaps") == 0
        api.more.put_nowait({"type": "ADDED", "object": config_map("b", HEAD)})
        api.more.put_nowait({"type": "DELETED", "object": config_map("a", HEAD)})
        await until(api.more.empty)
        await asyncio.sleep(0)
        await publisher.refresh()
        assert sections() == ["b"]

    run_beside(follow_config_maps(service, publisher, "kubeconfig", "context"), steps())
    assert made == [("kubeconfig", "context")]
    assert api.is_closed
    assert api.queries[CONFIG_MAPS]["labelSelector"] == "weighbridge.dev/configuration=true"


def test_config_maps_that_may_not_be_read_narrow_nothing_and_hold_nothing_up(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_maps, "_POLL_SECONDS", 0)
    publisher = Publisher(service, DEFAULT, config_maps=[slim(config_map("a", HEAD))])
    assert len(service.config.brought) == 1
    await_config_maps(service)
    api = Watched({})
    api.connected(monkeypatch)

    async def steps() -> None:
        api.hold.set()
        await until(lambda: not service.readiness.awaited)
        assert service.config.brought == ()
        assert sample(service, "facts_known", "configmaps") == 0

    run_beside(follow_config_maps(service, publisher, None, None), steps())


# --- facts ---


def test_a_cluster_is_let_in_once_all_of_it_has_been_read(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_cluster, "_POLL_SECONDS", 0)
    collected: list[str] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append("collect"))
    monkeypatch.setattr(gc, "freeze", lambda: collected.append("freeze"))
    core = [kind for kind in watched_kinds() if not kind.gvk.group]
    node = {"metadata": {"name": "n"}, "status": {"allocatable": {"amd.com/gpu": "8"}}}
    api = Watched({kind.path: [node] if kind.plural == "nodes" else [] for kind in core if kind.plural != "services"})
    made = api.connected(monkeypatch)

    async def steps() -> None:
        await until(lambda: len(api.queries) > len(core))
        await until(lambda: service.readiness.awaited.startswith("cluster: reading nodes, namespaces, limitranges, ..."))
        assert collected == []
        assert sample(service, "facts_known", "nodes") == 0
        assert sample(service, "facts_known", "models.inference.llmkube.dev") == 1
        api.hold.set()
        await until(lambda: not service.readiness.awaited)
        assert collected == ["collect", "freeze"]
        inventory = service.facts_now().inventory
        assert inventory is not None
        assert inventory.offers == {"amd.com/gpu": 8}
        assert sample(service, "facts_known", "nodes") == 1
        assert sample(service, "facts_known", "services") == 0
        assert sample(service, "facts_age_seconds", "nodes") == 0
        assert service.reconfigure is not None

    run_beside(follow(service, "kubeconfig", "context"), steps())
    assert made == [("kubeconfig", "context")]
    assert api.is_closed


def test_whether_a_cluster_can_be_reached_is_asked_of_a_regular_kubeconfig_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    api, made = HeldAPI({}), []

    async def connect(*arguments: Any, **options: Any) -> KubernetesAPI:
        made.append((arguments, options))
        if arguments == ("none", None):
            raise InputError("none: no such kubeconfig")
        return api.api

    monkeypatch.setattr(KubernetesAPI, "connect", connect)
    check_reachable("kubeconfig", "context")
    assert made == [(("kubeconfig", "context"), {"only_regular": True})]
    assert api.is_closed
    with pytest.raises(InputError, match="no such kubeconfig"):
        check_reachable("none", None)


def test_each_kind_is_watched_in_the_versions_that_anybody_reads() -> None:
    watched = {kind.known_as: kind for kind in watched_kinds()}
    assert len(watched) == len(watched_kinds())
    for kind in watched.values():
        assert len(kind.versions) == len(set(kind.versions)), kind
    read = [kind for family in families() for kind in (*(each for each in family.kinds if not each.is_checked_only), *family.looks_up)]
    assert [kind for kind in read if kind.gvk.version not in watched[kind.known_as].versions] == []
    checked_only = {kind.known_as for family in families() for kind in family.kinds if kind.is_checked_only}
    assert checked_only
    assert not checked_only & watched.keys() - {kind.known_as for kind in read}
