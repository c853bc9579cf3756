"""The replicas as in a Deployment: each is added to the Service once it is ready, and they are replaced one after the other.

The first one stays for the whole run, so that one process shows whether memory grows.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from tests.programs.control_plane.processes import ProcessGroup
from tests.programs.soak.replicas import Replica, Setting, SoakError
from tests.programs.soak.service import Service
from tests.programs.soak.tally import Tally

#: The soak needs at least one replica that stays and one that is replaced.
FEWEST_REPLICAS: Final = 2
_PROBE_SECONDS: Final = 0.5
_PATIENCE_SECONDS: Final = 90.0


class Deployment:
    """The replicas and the Service in front of them; leaving the block ends those that still run."""

    def __init__(self, folder: Path, setting: Setting, service: Service, tally: Tally) -> None:
        self.replicas: list[Replica] = []
        self.ended: list[Replica] = []
        self._folder, self._setting = folder, setting
        self._service, self._tally = service, tally
        self._group = ProcessGroup(folder)
        self._probing: dict[int, asyncio.Task[None]] = {}

    async def start(self, count: int) -> None:
        """Start the first replicas; returns once calls are sent to them. Raises SoakError if one doesn't become ready."""
        for _ in range(count):
            await self._add()

    async def replace_next(self) -> None:
        """Start another replica and, once calls are sent to it, end the oldest one except the first."""
        await self._add()
        await self._end(self.replicas[1])
        self._tally.replacements += 1

    async def crash_next(self) -> None:
        """Kill the oldest replica except the first, and start another once no calls are sent to the killed one any more."""
        replica = self.replicas[1]
        replica.process.kill()
        while replica.webhook in self._service.endpoints:
            await asyncio.sleep(_PROBE_SECONDS)
        replica.is_leaving = True
        await self._probing.pop(replica.number)
        self.replicas.remove(replica)
        self.ended.append(replica)
        await self._add()

    async def stop(self) -> None:
        """End all replicas together."""
        await asyncio.gather(*(self._end(replica) for replica in list(self.replicas)))

    def kill(self) -> None:
        """Kill the processes and remove their files."""
        for task in self._probing.values():
            task.cancel()
        self._group.end()

    def sample(self) -> None:
        """Look at the memory and the log of every replica that serves."""
        for replica in self.replicas:
            if replica.webhook:
                replica.memory.sample()
                replica.read_log()

    async def _add(self) -> None:
        replica = Replica(len(self.replicas) + len(self.ended) + 1, self._group, self._folder, self._setting)
        self.replicas.append(replica)
        await replica.started()
        replica.memory.sample()
        self._probing[replica.number] = asyncio.create_task(self._follow_readiness(replica))
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                while replica.webhook not in self._service.endpoints:
                    await asyncio.sleep(_PROBE_SECONDS)
        except TimeoutError:
            page = await replica.page("/readyz")
            raise SoakError(f"replica {replica.number} didn't become ready within {_PATIENCE_SECONDS:.0f} s: {page[-200:]}") from None

    async def _follow_readiness(self, replica: Replica) -> None:
        was_ready = False
        while not replica.is_leaving:
            is_ready = await replica.is_ready()
            if is_ready and not was_ready:
                self._service.add(replica.webhook)
            elif was_ready and not is_ready:
                self._service.remove(replica.webhook)
            was_ready = is_ready
            await asyncio.sleep(_PROBE_SECONDS)

    async def _end(self, replica: Replica) -> None:
        for reason, count in (await replica.turned_away()).items():
            self._tally.turned_away[reason] += count
        replica.is_leaving = True
        # A replica that was asked to end isn't an endpoint any more, even if it is still ready.
        await self._probing.pop(replica.number)
        self._service.remove(replica.webhook)
        if fault := await replica.stop():
            self._tally.wrong[fault] += 1
        self.replicas.remove(replica)
        self.ended.append(replica)
        self._tally.logged.update(replica.logged)
