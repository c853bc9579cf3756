"""Reports which checks the installed CRDs lack: in a log line and a metric for each kind, at the start and whenever that changes."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from weighbridge.policies.apiserver.demands import Demands, told_losses
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.verdict.crd_rules import demands_on
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.texts.logs import FIELDS

_log: Final = logging.getLogger("weighbridge.crds")
#: The number of fields that a log line names.
_MOST_LOGGED: Final = 50


class CRDLosses:
    """Remembers what has been logged about one server's CRDs."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._told: dict[GroupVersionKind, Demands | None] = {}
        self._whole: list[str] = []

    async def watch(self, seconds: float) -> None:
        """Check at intervals, until cancelled. While calls can't be judged, nothing is logged."""
        while True:
            if not self._service.readiness.awaited:
                try:
                    await self.refresh()
                except Exception:
                    # A defect of ours must not end the server, which can judge calls without this.
                    _log.exception("the installed CRDs could not be compared")
            await asyncio.sleep(seconds)

    async def refresh(self) -> None:
        """Log the changes, and update the metrics."""
        whole: list[str] = []
        for family in families():
            for kind in family.kinds:
                # Comparing a large CRD takes up to a tenth of a second, so calls are answered between kinds.
                await asyncio.sleep(0)
                facts, config = self._service.facts_now(), self._service.config
                demands = demands_on(kind.gvk, family, facts, config)
                self._tell(kind.gvk, demands)
                if demands is not None and demands.losses is None:
                    whole.append(kind.gvk.kind)
        if whole and whole != self._whole:
            _log.info("the webhook makes all checks of the CRDs that ship", extra={FIELDS: {"kinds": whole}})
        self._whole = whole

    def _tell(self, gvk: GroupVersionKind, demands: Demands | None) -> None:
        """Log the change of one kind, and update its metric."""
        if gvk in self._told and self._told[gvk] is demands:
            return
        before, self._told[gvk] = self._told.get(gvk), demands
        losses = demands.losses if demands is not None else ()
        self._service.metrics.crd_lost(gvk.kind, len(losses or ()))
        if demands is not None and losses:
            _log.warning("%s", told_losses(demands.as_json()), extra={FIELDS: _fields(gvk, demands)})
        elif before is not None and before.losses:
            _log.info("the webhook no longer makes checks that the installed CRD of %s lacks", gvk.kind, extra={FIELDS: _named(gvk)})


def _named(gvk: GroupVersionKind) -> dict[str, str]:
    return {"kind": str(gvk)}


def _fields(gvk: GroupVersionKind, demands: Demands) -> dict[str, object]:
    lacks = [f"{loss.field}: {loss.keyword}" for loss in demands.losses or ()]
    unknown = list(demands.unknown_fields)
    return {**_named(gvk), "release": demands.release, "lacks": lacks[:_MOST_LOGGED], "unknownFields": unknown[:_MOST_LOGGED]}
