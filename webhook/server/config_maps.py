"""Follows the ConfigMaps with which namespaces narrow the configuration, and passes their sections to the publisher."""

from __future__ import annotations

import asyncio
from typing import Final

from weighbridge.policies.facts.kinds import ReadKind
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.webhook.cluster.heartbeat import Heartbeat
from weighbridge.webhook.cluster.kubernetes_api import KubernetesAPI
from weighbridge.webhook.cluster.labelled_config_maps import CONFIG_MAPS, LabelledConfigMaps, slim
from weighbridge.webhook.cluster.reflector import Reflector
from weighbridge.webhook.server.publisher import Publisher
from weighbridge.webhook.server.service import Service

_AWAITED: Final = "namespaces' configuration"
_POLL_SECONDS: Final = 0.2


class _Sink:
    """Passes the reflector's events to the publisher."""

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
    """Make the server unready until the namespaces' configuration has been read."""
    service.readiness.hold(_AWAITED, "not read yet")


async def follow_config_maps(service: Service, publisher: Publisher, kubeconfig: str | None, context: str | None) -> None:
    """Keep the namespaces' configuration up to date while this runs."""
    api = await KubernetesAPI.connect(kubeconfig, context)
    reflector = Reflector(CONFIG_MAPS, LabelledConfigMaps(api), _Sink(publisher), slim)
    resource = CONFIG_MAPS.resource
    service.metrics.facts_age.labels(resource).set_function(reflector.age)
    service.metrics.facts_known.labels(resource).set_function(lambda: reflector.is_known)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(reflector.run())
            group.create_task(Heartbeat(api, reflector.start_anew, reflector.confirm).run())
            group.create_task(_release(service, publisher, reflector))
    finally:
        await api.close()


async def _release(service: Service, publisher: Publisher, reflector: Reflector) -> None:
    while not reflector.is_settled:
        await asyncio.sleep(_POLL_SECONDS)
    await publisher.refresh()
    service.readiness.release(_AWAITED)
