"""Follows the ConfigMaps of a live cluster by which namespaces narrow the configuration; no others are ever read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from policies.facts.kinds import ReadKind
from policies.fields import text_map
from policies.objects import GroupVersionKind, JSONObject, metadata_of, name_of, namespace_of
from webhook.configuration.publishing import Publisher
from webhook.heartbeat import Heartbeat
from webhook.kubernetes_api import APIError, KubernetesAPI
from webhook.namespace_configuration import KEY, LABEL, LABEL_VALUE
from webhook.reflector import Reflector
from webhook.service import Service

CONFIG_MAPS: Final = ReadKind(GroupVersionKind("", "v1", "ConfigMap"), "configmaps")
_SELECTOR: Final = f"{LABEL}={LABEL_VALUE}"
_AWAITED: Final = "namespaces' configuration"
_POLL_SECONDS: Final = 0.2


def slim(config_map: JSONObject) -> JSONObject:
    """What of a ConfigMap is kept: its name, its label and the one text."""
    metadata, data = metadata_of(config_map), text_map(config_map, "data")
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {key: metadata[key] for key in ("namespace", "name") if key in metadata} | {"labels": {LABEL: LABEL_VALUE}},
        "data": {KEY: data[KEY]} if KEY in data else {},
    }


class LabelledConfigMaps:
    """The API server, asked only for the ConfigMaps that have the label."""

    def __init__(self, api: KubernetesAPI) -> None:
        self._api = api

    async def get(self, path: str) -> JSONObject:
        """One answer. Raises APIError."""
        return await self._api.get(path)

    def pages(self, path: str, **query: str) -> AsyncIterator[JSONObject]:
        """The pages of the list."""
        return self._api.pages(path, labelSelector=_SELECTOR, **query)

    def events(self, path: str, **query: str | int) -> AsyncIterator[JSONObject]:
        """The events of a watch; one whose label is taken away is told as deleted."""
        return self._api.events(path, labelSelector=_SELECTOR, **query)


async def sections_of(api: KubernetesAPI) -> list[JSONObject]:
    """The ConfigMaps with sections, by namespace and name; none where they may not be read."""
    found: list[JSONObject] = []
    try:
        async for page in LabelledConfigMaps(api).pages(CONFIG_MAPS.path):
            found += (slim({"apiVersion": "v1", "kind": "ConfigMap"} | item) for item in page.get("items") or ())
    except APIError:
        return []
    return sorted(found, key=lambda obj: (namespace_of(obj), name_of(obj)))


class _Sink:
    """Passes on to the publisher what the reflector sees."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher

    def replace(self, kind: ReadKind, objects: list[JSONObject]) -> None:
        self._publisher.replace_config_maps(objects)

    def put(self, kind: ReadKind, obj: JSONObject) -> None:
        self._publisher.put_config_map(obj)

    def discard(self, kind: ReadKind, obj: JSONObject) -> None:
        self._publisher.discard_config_map(namespace_of(obj), name_of(obj))

    def unknown(self, kind: ReadKind) -> None:
        self._publisher.replace_config_maps(())


def await_config_maps(service: Service) -> None:
    """Let no call be judged before it is known what the namespaces narrow."""
    service.readiness.hold(_AWAITED, "not read yet")


async def follow_config_maps(service: Service, publisher: Publisher, kubeconfig: str | None, context: str | None) -> None:
    """Keep what the namespaces bring up to date for as long as this runs."""
    api = await KubernetesAPI.connect(kubeconfig, context)
    reflector = Reflector(CONFIG_MAPS, LabelledConfigMaps(api), _Sink(publisher), slim)
    resource = CONFIG_MAPS.resource
    service.metrics.facts_age.labels(resource).set_function(reflector.age)
    service.metrics.facts_known.labels(resource).set_function(lambda: reflector.is_known)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(reflector.run())
            group.create_task(Heartbeat(api, reflector.start_anew).run())
            group.create_task(_release(service, publisher, reflector))
    finally:
        await api.close()


async def _release(service: Service, publisher: Publisher, reflector: Reflector) -> None:
    while not reflector.is_settled:
        await asyncio.sleep(_POLL_SECONDS)
    await publisher.refresh()
    service.readiness.release(_AWAITED)
