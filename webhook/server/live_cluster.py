"""Follows a live cluster while the server runs: connects, delays readiness until all has been read, and shows the age of facts."""

from __future__ import annotations

import asyncio
import gc
from typing import Final

from weighbridge.webhook.cluster.kubernetes_api import KubernetesAPI
from weighbridge.webhook.cluster.live_facts import Cluster
from weighbridge.webhook.cluster.reflector import Reflector
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settled_memory import settle
from weighbridge.webhook.server.warm_up import warm_up

_POLL_SECONDS: Final = 0.5


def check_reachable(kubeconfig: str | None, context: str | None) -> None:
    """Check before serving that the kubeconfig can be used. Raises InputError."""

    async def check() -> None:
        await (await KubernetesAPI.connect(kubeconfig, context, only_regular=True)).close()

    asyncio.run(check())


async def follow(service: Service, kubeconfig: str | None, context: str | None, *, with_pods: bool = False) -> None:
    """Keep the service's facts up to date while this runs; `with_pods`, also the resources that pods take of the nodes."""
    api = await KubernetesAPI.connect(kubeconfig, context)
    cluster = Cluster(api, bundled_definitions(service.config), longest_age=service.settings.longest_age, with_pods=with_pods)
    for reflector in cluster.reflectors:
        _show(service, cluster, reflector)
    service.live, service.reconfigure = cluster.facts, cluster.configure
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(cluster.run())
            group.create_task(_release(service, cluster))
    finally:
        await api.close()


def _show(service: Service, cluster: Cluster, reflector: Reflector) -> None:
    resource = reflector.kind.resource
    service.metrics.facts_age.labels(resource).set_function(lambda: cluster.age(reflector))
    service.metrics.facts_known.labels(resource).set_function(lambda: reflector.is_known)


async def _release(service: Service, cluster: Cluster) -> None:
    """Make the server ready once all has been read; until then the readiness says what is missing."""
    while awaited := cluster.awaited:
        service.readiness.hold("cluster", f"reading {', '.join(awaited[:3])}{', ...' if len(awaited) > 3 else ''}")
        await asyncio.sleep(_POLL_SECONDS)
    for _ in warm_up(service):
        await asyncio.sleep(0)
    gc.collect()
    settle()
    service.readiness.release("cluster")
