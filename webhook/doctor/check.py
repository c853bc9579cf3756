"""The result of one check of an installation."""

from __future__ import annotations

from enum import StrEnum

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass


class Health(StrEnum):
    """The health of a checked part; `unknown` if it couldn't be checked, because a permission or something else is missing."""

    OK = "ok"
    PROBLEM = "problem"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """One result: what was checked, what was found, and what to run if that isn't well."""

    name: str
    health: Health
    found: str
    run: str = ""

    def as_json(self) -> JSONObject:
        """The result as reports hold it."""
        out = {"check": self.name, "health": str(self.health), "found": self.found}
        return {**out, "run": self.run} if self.run else out


def ok(name: str, found: str) -> Check:
    """All is well."""
    return Check(name, Health.OK, found)


def problem(name: str, found: str, run: str) -> Check:
    """Something is wrong."""
    return Check(name, Health.PROBLEM, found, run)


def unknown(name: str, found: str, run: str = "") -> Check:
    """A check without a result."""
    return Check(name, Health.UNKNOWN, found, run)
