"""The incidents: what happens, and whether a request may be lost."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import orjson

from tests.e2e.network import Condition, Network
from tests.programs.chaos.clock import SECONDS_KEPT, Clock
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.fuzz.client import statuses_of
from tests.programs.soak.api import MERGE_PATCH, APIClient, LostError
from tests.programs.soak.deployment import Deployment
from tests.programs.soak.hostile import Target, call
from tests.programs.soak.rotation import Rotation
from tests.webhook.reviews import review
from weighbridge.policies.ground.objects import JSONObject

NODES: Final = 5000
_OUTAGE_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.1
_AT_A_TIME: Final = 20
_BURST: Final = 1000


@dataclass(slots=True)
class Scene:
    """The scene of an incident; `found` gets its observations in words, and `began` is the time of its beginning."""

    plane: ControlPlane
    network: Network
    deployment: Deployment
    api: APIClient
    rotation: Rotation
    clock: Clock
    began: float = 0.0
    found: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident, as the table names it. A request that is lost while an API server is away, or on its way to a killed process, isn't a
    fault.
    """

    name: str
    act: Callable[[Scene], Awaitable[None]]
    may_lose: bool = False
    sets_clock: bool = False


async def _kill_a_replica(scene: Scene) -> None:
    await scene.deployment.crash_next()
    scene.found.append(f"another one serves after {time.monotonic() - scene.began:.1f} s")


async def _replace_20(scene: Scene) -> None:
    for _ in range(20):
        await scene.deployment.replace_next()


async def _rotate_40(scene: Scene) -> None:
    for _ in range(40):
        await scene.rotation.rotate(scene.deployment)


async def _restart_the_api_server(scene: Scene) -> None:
    await asyncio.to_thread(scene.plane.restart_apiserver)
    await _until_followed(scene, time.monotonic())


async def _restart_etcd(scene: Scene) -> None:
    await asyncio.to_thread(scene.plane.restart_etcd)
    await _until_followed(scene, time.monotonic())


async def _cut_the_watches(scene: Scene) -> None:
    await _fail_for_a_while(scene, Condition.CUT)


async def _swallow_what_is_sent(scene: Scene) -> None:
    await _fail_for_a_while(scene, Condition.SWALLOWING)


async def _slow_the_network(scene: Scene) -> None:
    await _fail_for_a_while(scene, Condition.SLOW)


async def _fail_for_a_while(scene: Scene, condition: Condition) -> None:
    scene.network.become(condition)
    await asyncio.sleep(_OUTAGE_SECONDS)
    scene.network.become(Condition.WHOLE)
    await _until_followed(scene, time.monotonic())


async def _until_followed(scene: Scene, since: float) -> None:
    """Wait until the API server stores again, and no replica has old facts."""
    name = f"chaos-{time.monotonic_ns()}"
    while True:
        try:
            await scene.api.apply(f"/api/v1/nodes/{name}", _node(name, 1))
            break
        except (LostError, AssertionError):
            await asyncio.sleep(_POLL_SECONDS)
    while any([await _age(replica.page) for replica in scene.deployment.replicas]):
        await asyncio.sleep(_POLL_SECONDS)
    scene.found.append(f"facts are fresh again {time.monotonic() - since:.1f} s after it was over")


async def _age(page: Callable[[str], Awaitable[str]]) -> float:
    found = [line for line in (await page("/metrics")).splitlines() if line.startswith("weighbridge_facts_age_seconds{")]
    return max((float(line.rpartition(" ")[2]) for line in found), default=1.0)


async def _set_the_clocks(scene: Scene) -> None:
    """The replicas' clocks jump there and back, and at each time the certificate and its authority are replaced."""
    ready, off = 0, []
    for hours in (1, 0, -1, 0):
        scene.clock.set(hours * 3600)
        await asyncio.sleep(2 * SECONDS_KEPT)
        await scene.rotation.rotate(scene.deployment)
        pages = [await replica.page("/readyz") for replica in scene.deployment.replicas]
        ready += all(page.startswith("HTTP/1.1 200 ") for page in pages)
        off.append("/".join(f"{_minutes_off(page):+d}" for page in pages))
    scene.found.append(f"with clocks off by {', '.join(off)} minutes all replicas were ready {ready} of {len(off)} times")
    await _until_followed(scene, time.monotonic())


def _minutes_off(page: str) -> int:
    """The minutes by which the replica's clock is ahead of ours, by the Date in its answer."""
    date = next((line.partition(":")[2] for line in page.splitlines() if line.lower().startswith("date:")), "")
    return round((parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds() / 60) if date else 0


async def _storm_of_nodes(scene: Scene) -> None:
    """All nodes are created, and each changes once, as fast as the API server accepts it."""
    places = asyncio.Semaphore(_AT_A_TIME)

    async def one(number: int) -> None:
        name = f"storm-{number}"
        async with places:
            await scene.api.apply(f"/api/v1/nodes/{name}", _node(name, 1))
            status = orjson.dumps({"status": _node(name, 8)["status"]})
            await scene.api.call("PATCH", f"/api/v1/nodes/{name}/status", status, MERGE_PATCH)

    await asyncio.gather(*(one(number) for number in range(NODES)))
    scene.found.append(f"{NODES:,} nodes came and changed in {time.monotonic() - scene.began:.0f} s")


def _node(name: str, gpus: int) -> JSONObject:
    amounts = {"cpu": "8", "memory": "32Gi", "pods": "110", "amd.com/gpu": str(gpus)}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": amounts, "capacity": amounts}}


async def _more_calls_than_are_taken(scene: Scene) -> None:
    replica = scene.deployment.replicas[0]
    target = Target(replica.webhook, scene.rotation.trust(), replica.health)
    answers = Counter(status for _, status in await statuses_of(target, [call(review())] * _BURST, _BURST, wait=10.0))
    told = ", ".join(f"{count:,} with {status}" for status, count in sorted(answers.items()))
    scene.found.append(f"of {_BURST:,} calls at once to one replica were answered {told}")


INCIDENTS: Final = (
    Incident("a replica is killed (SIGKILL)", _kill_a_replica, may_lose=True),
    Incident("20 rolling replacements", _replace_20),
    Incident("40 rotations of certificate and authority", _rotate_40),
    Incident("kube-apiserver is killed and starts again", _restart_the_api_server, may_lose=True),
    Incident("etcd is killed and starts again", _restart_etcd, may_lose=True),
    Incident(f"watches are cut for {_OUTAGE_SECONDS:.0f} s", _cut_the_watches),
    Incident(f"a firewall swallows what the replicas and the API server send for {_OUTAGE_SECONDS:.0f} s", _swallow_what_is_sent),
    Incident(f"the network is late by half a second for {_OUTAGE_SECONDS:.0f} s", _slow_the_network),
    Incident("the replicas' clocks go forward an hour, and back, and back an hour, and forward", _set_the_clocks, sets_clock=True),
    Incident("a storm of nodes", _storm_of_nodes),
    Incident("more calls at once than a replica takes", _more_calls_than_are_taken),
)
