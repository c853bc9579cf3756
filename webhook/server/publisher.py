"""Keeps a server's configuration current: the file, what the namespaces bring, and the exceptions that end.

With every change a whole configuration is made while calls are answered, and put in force by one assignment. One that can't be used is
logged with its mistakes and counted, and the last good one stays.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.webhook.configuration.file import ConfigurationFile
from weighbridge.webhook.configuration.mistake import ConfigurationError
from weighbridge.webhook.configuration.namespace_configuration import Known, troubles, with_config_maps
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.texts.logs import FIELDS

_log: Final = logging.getLogger("weighbridge.configuration")
#: Mistakes that a line of the log holds.
_MOST_LOGGED: Final = 20
_PAUSE_SECONDS: Final = 0.2


def _now() -> datetime:
    return datetime.now(UTC)


class Publisher:
    """Puts the configuration of one server in force.

    `base` is what the file said at the start, or the default without one; `config_maps` are the sections of a snapshot.
    """

    def __init__(
        self,
        service: Service,
        base: Configuration,
        file: ConfigurationFile | None = None,
        config_maps: Iterable[JSONObject] = (),
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._service = service
        self._base = base
        self._file = file
        self._clock = clock
        self._config_maps = {(namespace_of(obj), name_of(obj)): obj for obj in config_maps}
        self._sections: Known = {}
        self._is_due = asyncio.Event()
        self._refreshing = asyncio.Lock()
        self._told: set[str] = set()
        self._put_in_force(self._assembled(base))

    # --- what changes ---

    def replace_config_maps(self, config_maps: Iterable[JSONObject]) -> None:
        """These are all ConfigMaps with a section."""
        self._config_maps = {(namespace_of(obj), name_of(obj)): obj for obj in config_maps}
        self._is_due.set()

    def put_config_map(self, config_map: JSONObject) -> None:
        """One is new or has changed."""
        self._config_maps[namespace_of(config_map), name_of(config_map)] = config_map
        self._is_due.set()

    def discard_config_map(self, namespace: str, name: str) -> None:
        """One is gone."""
        if self._config_maps.pop((namespace, name), None) is not None:
            self._is_due.set()

    async def watch(self, seconds: float) -> None:
        """Look at the file and the time every so often, and at once for what namespaces bring, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._is_due.wait()
            await self.refresh()
            # A user who writes ConfigMaps without a pause must not keep the server busy with them.
            await asyncio.sleep(min(seconds, _PAUSE_SECONDS))

    async def refresh(self) -> None:
        """Put a new configuration in force if anything of it has changed."""
        try:
            async with self._refreshing:
                await self._refresh()
        except Exception:
            # A defect of ours must not end the server that has a good configuration.
            _log.exception("the configuration could not be renewed, the one before stays")
            self._service.metrics.configuration.refused()

    async def _refresh(self) -> None:
        changed = await asyncio.to_thread(self._take_file)
        if changed or self._is_due.is_set() or self._something_ends():
            # What comes from here on makes it due again.
            self._is_due.clear()
            self._put_in_force(await asyncio.to_thread(self._assembled, self._base))

    def _take_file(self) -> bool:
        """Read the file if it has changed; whether it can be used."""
        if self._file is None:
            return False
        metrics = self._service.metrics.configuration
        try:
            read = self._file.refresh()
        except ConfigurationError as error:
            mistakes = [str(mistake) for mistake in error.mistakes]
            fields = {"mistakes": mistakes[:_MOST_LOGGED], "count": len(mistakes)}
            _log.error("the configuration can't be used, the one before stays", extra={FIELDS: fields})
            metrics.refused()
            return False
        if read is None:
            return False
        self._base, self._sections = read.config, {}
        metrics.reloaded(read.digest)
        _log.info("configuration read again", extra={FIELDS: {"sha256": read.digest}})
        return True

    def _something_ends(self) -> bool:
        end = self._service.config.next_end
        return end is not None and end <= self._clock()

    def _assembled(self, base: Configuration) -> Configuration:
        return with_config_maps(base, list(self._config_maps.values()), self._sections).at(self._clock())

    def _put_in_force(self, config: Configuration) -> None:
        self._service.put_in_force(config)
        self._service.metrics.configuration.published(config)
        told = troubles(config)
        for trouble in told:
            if trouble not in self._told:
                _log.warning("%s", trouble)
        self._told = set(told)
