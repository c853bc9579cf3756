"""Metrics of the configuration: which one is in force, and whether the last that was read could be used."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge

from weighbridge.policies.config import Configuration

#: The number of a hash's digits that a sample's value can hold exactly.
_HASH_DIGITS: Final = 12
_NOTHING: Final = hashlib.sha256(b"").hexdigest()


class ConfigurationMetrics:
    """The metrics of one process's configuration."""

    def __init__(self, registry: CollectorRegistry, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._hash = Gauge(
            "weighbridge_configuration_hash",
            "The first 48 bits of the SHA-256 of the configuration file in force; equal in all replicas that have the same",
            registry=registry,
        )
        self._generation = Gauge(
            "weighbridge_configuration_generation", "How often a configuration was put in force since the start", registry=registry
        )
        self._successful = Gauge(
            "weighbridge_configuration_last_reload_successful", "1 where the file, as it was last read, is in force", registry=registry
        )
        self._succeeded_at = Gauge(
            "weighbridge_configuration_last_reload_success_timestamp_seconds", "When a file was last put in force", registry=registry
        )
        self._reloads = Counter("weighbridge_configuration_reloads", "Configuration files read again", ["result"], registry=registry)
        self._sections = Gauge(
            "weighbridge_namespace_configurations", "Sections that namespaces bring, used and not", ["result"], registry=registry
        )
        self._exceptions = Gauge(
            "weighbridge_configuration_exceptions", "Exceptions of the configuration, holding and ended", ["state"], registry=registry
        )
        for result in ("loaded", "refused"):
            self._reloads.labels(result)
        self.loaded(_NOTHING)

    def loaded(self, digest: str) -> None:
        """Record that a file with this SHA-256 can be used."""
        self._hash.set(int(digest[:_HASH_DIGITS], 16))
        self._successful.set(1)
        self._succeeded_at.set(self._clock())

    def reloaded(self, digest: str) -> None:
        """Record that the file was read again while serving, and can be used."""
        self._reloads.labels("loaded").inc()
        self.loaded(digest)

    def refused(self) -> None:
        """Record that the file was read again while serving, and can't be used."""
        self._reloads.labels("refused").inc()
        self._successful.set(0)

    def published(self, config: Configuration) -> None:
        """Record that a configuration is in force from now on."""
        self._generation.inc()
        ended = sum(1 for _ in config.expired)
        self._exceptions.labels("ended").set(ended)
        self._exceptions.labels("holding").set(len(config.exceptions) - ended)
        self._sections.labels("used").set(len(config.brought))
        self._sections.labels("refused").set(sum(map(len, config.notes.values())))
