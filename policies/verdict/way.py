"""The forms of a way: the `Context` of a request, the steps with what they give to each other, and `Found`.

A way is a tuple of steps. A step names what it needs from earlier steps and what it gives to later ones, each by its type. Given values
never change: a step that changes the object gives a new `Body`. Steps add their findings to `Found`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.deadline import DeadlineExceededError
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.findings import Finding, Provenance, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request

if TYPE_CHECKING:
    from weighbridge.policies.admission_policies.mutating.dispatch import Mutated


def never() -> bool:
    """The deadline of a caller without one."""
    return False


class Context(NamedTuple):
    """A request with everything that each step knows about it.

    `config` is the configuration of the request's namespace. `is_offline` says that no API server has seen the request. `family` and
    `definition` are `None` if none is known. `webhook` is the name of the webhook in a refusal, empty if the API server adds it.
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
        """Raise DeadlineExceededError once the caller's deadline has passed."""
        if self.expired():
            raise DeadlineExceededError


class Body(NamedTuple):
    """The object: first decoded, then filled in, then as it would be stored.

    `provenance` covers all values that the author didn't write, `filled` those that `patch` fills in.
    """

    object: JSONValue
    provenance: Sequence[Provenance] = ()
    patch: Sequence[JSONObject] = ()
    filled: Sequence[Provenance] = ()
    cel_cost: int = 0


@dataclass(frozen=True, slots=True)
class Changed:
    """The changes of the cluster's mutating policies to the object so far."""

    mutated: Mutated


@dataclass(frozen=True, slots=True)
class Judged:
    """The request that predictions and rules judge: it has the object as it will be stored, and for a scale the scaled object."""

    request: Request


@dataclass(frozen=True, slots=True)
class Ruled:
    """The findings of rules with their configured severities."""

    findings: Sequence[Finding] = ()


@dataclass(slots=True)
class Found:
    """The results of the steps. `refusal` is the API server's. `skipped` says why Weighbridge doesn't judge the object."""

    findings: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    refusal: Refusal | None = None
    never_runs: bool = False
    skipped: str = ""

    def tell(self, findings: Sequence[Finding]) -> None:
        """Add findings; those of severity warning also become warnings of the response."""
        self.findings += findings
        self.warnings += [f"{finding.rule} {finding}" for finding in findings if finding.severity is Severity.WARNING]


@dataclass(frozen=True, slots=True)
class Step:
    """A function of `Context`, `Found` and its needs. It returns the value that it gives, or `None` if it has none.

    A step is skipped if one of its needs wasn't given: without a body nothing is validated.
    """

    run: Callable[..., Any]
    needs: tuple[type[Any], ...] = ()
    gives: type[Any] | None = None


Way = tuple[Step, ...]
#: The values that the steps of a way have given, by type; `None` if a step had none to give.
Results = dict[type[Any], Any]


def walk(way: Way, context: Context, found: Found, results: Results) -> None:
    """Take the steps of a way in order."""
    for step in way:
        needed = list(map(results.get, step.needs))
        # `None in needed` would compare them one by one, by their fields.
        for value in needed:
            if value is None:
                break
        else:
            result = step.run(context, found, *needed)
            if step.gives is not None:
                results[step.gives] = result
