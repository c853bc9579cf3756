"""One soak: replicas behind a Service, registered with failurePolicy Fail; load, replacements, rotations and hostile clients.

Requests are due at a constant rate, and their times count from when they are due. If very many requests aren't answered yet, the next one
is sent late: an API server also limits the requests in flight, and a machine that is too slow for a moment would never catch up.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import uvloop

from tests.programs.control_plane.plane import ControlPlane
from tests.programs.soak.api import APIClient, LostError
from tests.programs.soak.deployment import Deployment
from tests.programs.soak.hostile import ATTEMPTS, Attempt, Target
from tests.programs.soak.memory import POD_MIB, Memory, busy_seconds
from tests.programs.soak.progress import progress
from tests.programs.soak.replicas import Setting, SoakError
from tests.programs.soak.rotation import Rotation
from tests.programs.soak.service import Service
from tests.programs.soak.tally import Tally
from tests.programs.soak.workload import Call, Workload
from weighbridge.webhook.server.signals import stop_signals

_SAMPLE_SECONDS: Final = 5.0
_LINE_SECONDS: Final = 60.0
_PATIENCE_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.2
#: The most requests in flight. With more, kube-apiserver, which keeps 25 idle connections to a webhook, opens new connections for most of
#: them.
_AT_A_TIME: Final = 50
#: Seconds of load before an incident, and after it.
_BESIDE_SECONDS: Final = 5.0
#: Seconds to wait for hostile clients once the load has ended.
_LAST_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Options:
    """The parts of the soak, in seconds, requests a second, and a share of these; a time of 0 leaves a part out."""

    seconds: float = 3600.0
    rate: float = 200.0
    replicas: int = 2
    replace_every: float = 60.0
    rotate_every: float = 300.0
    hostile: float = 0.01
    drain: float = 10.0
    delay: float = 1.0
    settle: float = 10.0
    seed: int = 1
    attempts: tuple[Attempt, ...] = ATTEMPTS
    #: An incident that happens once under the load, which ends soon after it; how the replicas reach the API server; and further variables
    #: of their environment.
    incident: Callable[[Deployment, APIClient, Rotation], Awaitable[None]] | None = None
    kubeconfig: Path | None = None
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """The result: processes by their names, and the CPU seconds of the whole machine."""

    options: Options
    tally: Tally
    seconds: float
    replicas: dict[str, Memory]
    others: dict[str, Memory]
    machine: float

    @property
    def steady(self) -> Memory:
        """The replica that stayed for the whole run."""
        return next(iter(self.replicas.values()))

    @property
    def failed(self) -> bool:
        """Whether a request was lost or answered wrongly, memory grows, or a replica had more memory than its pod may have."""
        return bool(self.tally.lost or self.tally.wrong or self.steady.grows or self.most > POD_MIB)

    @property
    def most(self) -> float:
        """The peak memory of a replica in MiB, including its copies."""
        return max((memory.most for memory in self.replicas.values()), default=0.0)


def soak(plane: ControlPlane, folder: Path, options: Options, say: Callable[[str], None] = lambda _: None) -> Outcome:
    """Soak a control plane that has the families' CRDs; `say` takes a line of progress. SIGINT and SIGTERM end it early.

    Raises SoakError if it can't begin or go on.
    """
    replicas = folder / "replicas"
    replicas.mkdir()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_soaked(plane, replicas, options, say))


async def _soaked(plane: ControlPlane, folder: Path, options: Options, say: Callable[[str], None]) -> Outcome:
    with stop_signals() as signals:
        return await _Soak(plane, folder, options, say, signals.drain).run()


class _Soak:
    """One run, from the first replica to the last; `stop` ends it early."""

    def __init__(self, plane: ControlPlane, folder: Path, options: Options, say: Callable[[str], None], stop: asyncio.Event) -> None:
        self._stop = stop
        self._options, self._say = options, say
        self._tally = Tally()
        self._random = Random(options.seed)
        self._workload = Workload(options.seed)
        self._api = APIClient(plane.server, plane.ca_file, plane.admin_token)
        self._service = Service(options.delay)
        certificates = folder / "certs"
        setting = Setting(certificates, options.kubeconfig or plane.kubeconfig, options.drain, options.environ)
        self._deployment = Deployment(folder, setting, self._service, self._tally)
        self._certificates = certificates
        self._others = {name: Memory(pid) for name, pid in {**plane.pids, "client and Service": os.getpid()}.items()}
        self._started = self._busy = 0.0
        self._told = 0

    async def run(self) -> Outcome:
        """Run the whole soak."""
        try:
            await self._service.start()
            rotation = Rotation(self._certificates, self._service.port, self._api, self._options.settle)
            await self._begin(rotation)
            await self._under_load(rotation)
            seconds, machine = time.monotonic() - self._started, busy_seconds() - self._busy
            self._sample()
            await self._deployment.stop()
        finally:
            self._api.close()
            self._service.close()
            self._deployment.kill()
        ended = sorted(self._deployment.ended, key=lambda replica: replica.number)
        replicas = {f"replica {replica.number}": replica.memory for replica in ended}
        return Outcome(self._options, self._tally, seconds, replicas, self._others, machine)

    async def _begin(self, rotation: Rotation) -> None:
        """Start replicas, and wait until the API server calls them."""
        rotation.make()
        await self._deployment.start(self._options.replicas)
        await self._workload.furnish(self._api)
        await rotation.register()
        await self._until_right(self._workload.first_probes)
        await self._workload.store(self._api)
        await self._until_right(self._workload.probes)
        self._say(f"{self._options.replicas} replicas serve, {self._options.rate:g} requests a second from now on")

    async def _until_right(self, probes: Callable[[], list[Call]]) -> None:
        """Wait until all these requests get the expected answers."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while faults := [fault for probe in probes() if (fault := await self._fault(probe))]:
            if time.monotonic() > deadline:
                raise SoakError(f"the webhooks aren't called, or don't know yet what is stored: {faults[0]}")
            await asyncio.sleep(_POLL_SECONDS)

    async def _fault(self, call: Call) -> str:
        try:
            return call.expected.fault(await self._api.call(call.method, call.path, call.body, call.content_type))
        except LostError as error:
            return str(error)

    async def _under_load(self, rotation: Rotation) -> None:
        options = self._options
        self._started, self._busy = time.monotonic(), busy_seconds()
        self._sample()
        beside = [
            self._every(_SAMPLE_SECONDS, self._look),
            self._every(_LINE_SECONDS, self._tell),
            self._every(options.replace_every, self._deployment.replace_next),
            self._every(options.rotate_every, lambda: self._rotate(rotation)),
            self._be_hostile(rotation),
            self._suffer(rotation),
        ]
        tasks = [asyncio.create_task(part) for part in beside]
        load = asyncio.create_task(self._load())
        try:
            done, _ = await asyncio.wait([load, *tasks], return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
        finally:
            for task in (load, *tasks):
                task.cancel()
            await asyncio.gather(load, *tasks, return_exceptions=True)

    async def _load(self) -> None:
        """Send requests when they are due until the time is over, and wait for the last answers; then let the other parts end too."""
        loop, open_calls = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        places = asyncio.Semaphore(_AT_A_TIME)
        start = loop.time()
        for number in range(int(self._options.rate * self._options.seconds)):
            due = start + number / self._options.rate
            await asyncio.sleep(max(0.0, due - loop.time()))
            await places.acquire()
            if self._stop.is_set():
                break
            self._tally.waited.append(max(0.0, loop.time() - due))
            task = asyncio.create_task(self._send(self._workload.next(), due))
            open_calls.add(task)
            task.add_done_callback(open_calls.discard)
            task.add_done_callback(lambda _: places.release())
        await asyncio.gather(*open_calls)
        self._stop.set()

    async def _send(self, call: Call, due: float) -> None:
        try:
            answer = await self._api.call(call.method, call.path, call.body, call.content_type)
        except LostError as error:
            self._tally.was_lost(call.what, str(error))
            return
        seconds = asyncio.get_running_loop().time() - due
        if fault := call.expected.fault(answer):
            self._tally.answered_wrongly(call.what, seconds, answer, fault)
        else:
            self._tally.answered(call.what, seconds)
            call.done()

    async def _every(self, seconds: float, act: Callable[[], Awaitable[None]]) -> None:
        """Act at this interval until the load ends, or as often as possible; an action that has begun is completed."""
        due = time.monotonic() + seconds
        while seconds and not await self._has_ended(due - time.monotonic()):
            await act()
            due = max(due + seconds, time.monotonic())

    async def _has_ended(self, seconds: float) -> bool:
        """Whether the load ends within these seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self._stop.wait()
        return self._stop.is_set()

    async def _be_hostile(self, rotation: Rotation) -> None:
        """Send hostile clients, with as many connections as their share of the requests."""
        options, attempts = self._options, set[asyncio.Task[None]]()
        pause, left = 0.0, list[Attempt]()
        while options.hostile and not await self._has_ended(pause):
            # Each kind is used once before any is used again.
            left = left or self._random.sample(options.attempts, len(options.attempts))
            attempt = left.pop()
            task = asyncio.create_task(self._attempt(attempt, rotation))
            attempts.add(task)
            task.add_done_callback(attempts.discard)
            pause = attempt.connections / (options.hostile * options.rate)
        if attempts:
            await asyncio.wait(attempts, timeout=_LAST_SECONDS)
        for task in attempts:
            task.cancel()

    async def _suffer(self, rotation: Rotation) -> None:
        """Cause the incident, with some load before and after it."""
        if self._options.incident is None:
            return
        await asyncio.sleep(_BESIDE_SECONDS)
        await self._options.incident(self._deployment, self._api, rotation)
        await asyncio.sleep(_BESIDE_SECONDS)
        self._stop.set()

    async def _attempt(self, attempt: Attempt, rotation: Rotation) -> None:
        serving = [replica for replica in self._deployment.replicas if replica.webhook in self._service.endpoints]
        if not serving:
            return
        replica = self._random.choice(serving)
        ended, is_right = await attempt.run(Target(replica.webhook, rotation.trust(), replica.health), self._random)
        self._tally.hostile[f"{attempt.name}: {ended}"] += attempt.connections
        if not is_right:
            self._tally.wrong[f"hostile: {attempt.name}: {ended}"] += 1

    async def _rotate(self, rotation: Rotation) -> None:
        await rotation.rotate(self._deployment)
        self._tally.rotations += 1

    async def _look(self) -> None:
        self._sample()

    def _sample(self) -> None:
        self._deployment.sample()
        for memory in self._others.values():
            memory.sample()

    async def _tell(self) -> None:
        memories = [replica.memory for replica in self._deployment.replicas]
        self._say(progress(time.monotonic() - self._started, self._tally, self._told, memories))
        self._told = self._tally.requests
