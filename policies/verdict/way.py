"""The forms of a request's way: what it is context, what is found, and the steps that lead from one to the other.

A way is a tuple of steps. A step says what it needs of the steps before it and what it gives to those after it, each by its type. What is
given never changes: a step that takes the object further gives a new `Body`. What steps find out they add to `Found`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.deadline import DeadlineExceededError
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.findings import Finding, Provenance, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.request import Request


def never() -> bool:
    """The deadline of a caller that has time."""
    return False


class Context(NamedTuple):
    """What every step knows of a request.

    `config` is the configuration of the request's namespace. `is_offline` is whether no API server has seen the request before. `family`
    and `definition` are `None` where none is known. `webhook` is the name that a refusal carries, empty where the API server adds it.
    """

    request: Request
    facts: Facts
    config: Configuration
    is_offline: bool
    duplicates: Sequence[Path] = ()
    expired: Callable[[], bool] = never
    family: Family | None = None
    definition: ResourceDefinition | None = None
    webhook: str = ""

    def check_deadline(self) -> None:
        """Raises DeadlineExceededError once the caller's deadline has passed."""
        if self.expired():
            raise DeadlineExceededError


class Body(NamedTuple):
    """The object as far as it has come: decoded, then filled in, then as it would be stored.

    `provenance` is of all values that its author didn't write, `filled` of those that this request fills in by `patch`.
    """

    object: JSONValue
    provenance: Sequence[Provenance] = ()
    patch: Sequence[JSONObject] = ()
    filled: Sequence[Provenance] = ()
    cel_cost: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """What predictions and rules are asked about: the request with the object as it will be, of a scale that of the scaled object."""

    request: Request


@dataclass(frozen=True, slots=True)
class Ruled:
    """The findings of rules, with the weights that the configuration gives them."""

    findings: Sequence[Finding] = ()


@dataclass(slots=True)
class Found:
    """What the steps have found out. `refusal` is the API server's, and `skipped` why the object is none of ours to judge."""

    findings: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    refusal: Refusal | None = None
    never_runs: bool = False
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A function of `Context`, `Found` and what it needs; it returns what it gives, `None` where there is nothing to give.

    A step is passed over where one of its needs wasn't given: without a body nothing is validated.
    """

    run: Callable[..., Any]
    needs: tuple[type[Any], ...] = ()
    gives: type[Any] | None = None


Way = tuple[Step, ...]
#: What the steps of a way have context, by its type; `None` where a step had nothing to give.
Results = dict[type[Any], Any]


def walk(way: Way, context: Context, found: Found, results: Results) -> None:
    """Take the steps of a way in their order."""
    for step in way:
        needed = [results.get(need) for need in step.needs]
        if None not in needed:
            result = step.run(context, found, *needed)
            if step.gives is not None:
                results[step.gives] = result
