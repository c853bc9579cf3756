"""The input of every dry-run format: one verdict for each request, and the counts at the end."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request

if TYPE_CHECKING:
    from weighbridge.webhook.dry_run_report.parts.shapes import VerdictRecord


class Outcome(StrEnum):
    """The outcome of a request in one word.

    It is `skipped` if Weighbridge doesn't judge the kind, and `not checked` if no CRD of the kind is known. Neither refuses the object.
    """

    ALLOWED = "allowed"
    REFUSED = "refused"
    NEVER_RUNS = "no node can run it"
    PODS_REFUSED = "its pods are refused"
    SKIPPED = "skipped"
    NOT_CHECKED = "not checked"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one request.

    `given` is the object as its author wrote it, `place` its `file:line`; both are empty if it couldn't be read. `advice` is about the
    object as a whole; it isn't part of the record.
    """

    record: VerdictRecord
    request: Request | None = None
    decision: Decision | None = None
    given: JSONValue = None
    place: str = ""
    advice: str = ""

    @property
    def outcome(self) -> Outcome:
        """The outcome according to the record."""
        if "error" in self.record:
            return Outcome.ERROR
        if not self.record["allowed"]:
            return Outcome.REFUSED
        if self.record.get("neverRuns"):
            placement = self.record.get("placement")
            is_refused = placement is not None and placement["outlook"] == "refused"
            return Outcome.PODS_REFUSED if is_refused else Outcome.NEVER_RUNS
        if self.record.get("skipped"):
            return Outcome.SKIPPED
        # The engine names the kind itself if it couldn't judge the object at all.
        kind = str(self.request.gvk) if self.request is not None else ""
        return Outcome.NOT_CHECKED if any(entry["subject"] == kind for entry in self.record["unchecked"]) else Outcome.ALLOWED


class VerdictFormat(Protocol):
    """A format of verdicts."""

    def write(self, verdict: Verdict) -> None:
        """Show one verdict."""

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Write the end; `passed_over` counts the documents that were read but not judged, by their kind."""
