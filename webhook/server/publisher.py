"""Keeps a server's configuration current: the file, the namespaces' ConfigMaps, and the ends of exceptions.

At every change, a new configuration is made while calls are answered, and put in force by one assignment. If it can't be used, its mistakes
are logged and counted, and the last good one stays.
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
#: The number of mistakes in a log line.
_MOST_LOGGED: Final = 20
_PAUSE_SECONDS: Final = 0.2


def _now() -> datetime:
    return datetime.now(UTC)


class Publisher:
    """Puts the configuration of one server in force.

    `base` is the file's configuration at the start, or the default if there is no file; `config_maps` are the sections of a snapshot.
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
        """Replace all ConfigMaps that have a section."""
        self._config_maps = {(namespace_of(obj), name_of(obj)): obj for obj in config_maps}
        self._is_due.set()

    def put_config_map(self, config_map: JSONObject) -> None:
        """Add or replace a ConfigMap."""
        self._config_maps[namespace_of(config_map), name_of(config_map)] = config_map
        self._is_due.set()

    def discard_config_map(self, namespace: str, name: str) -> None:
        """Remove a ConfigMap."""
        if self._config_maps.pop((namespace, name), None) is not None:
            self._is_due.set()

    async def watch(self, seconds: float) -> None:
        """Check the file and the time at intervals, and changes of ConfigMaps at once, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._is_due.wait()
            await self.refresh()
            # This pause is for a user who changes ConfigMaps all the time: it must not keep the server busy.
            await asyncio.sleep(min(seconds, _PAUSE_SECONDS))

    async def refresh(self) -> None:
        """Put a new configuration in force if anything in it has changed."""
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
            # Changes from here on make it due again.
            self._is_due.clear()
            self._put_in_force(await asyncio.to_thread(self._assembled, self._base))

    def _take_file(self) -> bool:
        """Read the file if it has changed; returns whether it can be used."""
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
