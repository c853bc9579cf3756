"""How a rule is written: a check that is given its subject, and yields what is wrong with it.

A rule is a module whose file is named with its id and its name, `llmkube_085_image_not_pinned.py`. Its docstring is the rule's page, with
its source in the last paragraph. Its `check` is a function behind one of the family's subjects::

    @services.note(good="pin-an-image", bad="warn-of-a-moving-tag")
    def check(service: Service) -> Said:
        yield Violation(("spec", "image"), "has no tag", hint="pin a release")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any, Final, Generic, NamedTuple, TypedDict, TypeVar

from typing_extensions import Unpack

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of
from weighbridge.policies.ground.request import Request

_Subject = TypeVar("_Subject")


class Given(NamedTuple):
    """What every verdict goes by."""

    request: Request
    facts: Facts
    config: Configuration

    @property
    def object(self) -> JSONObject:
        """The judged object; an empty map where it isn't one."""
        return self.request.object if isinstance(self.request.object, dict) else {}

    @property
    def spec(self) -> JSONObject:
        """The object's spec, or an empty map where it has none."""
        spec = self.object.get("spec")
        return spec if isinstance(spec, dict) else {}

    @property
    def kind(self) -> str:
        """The object's kind."""
        return self.request.gvk.kind

    @property
    def group(self) -> str:
        """The object's API group."""
        return self.request.gvk.group

    @property
    def name(self) -> str:
        """The object's name."""
        return name_of(self.request.object)

    @property
    def namespace(self) -> str:
        """The object's namespace."""
        return self.request.namespace or namespace_of(self.request.object)


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with one field: where, in what words, and what to do.

    The rule adds its id, and its severity unless `severity` says otherwise. `configuration` is the line that would allow it.
    """

    path: Path
    message: str
    hint: str = ""
    found: str = ""
    expected: str = ""
    nearest: str = ""
    severity: Severity | None = None
    configuration: str = ""


@dataclass(frozen=True, slots=True)
class NotChecked:
    """The rule lacks a fact, and why."""

    reason: str


Said = Iterable[Violation | NotChecked]


class About(Flag):
    """What the findings of a rule are about, which spares others of saying it again.

    A finding about a `REFERENCE` weighs what the configuration's `references` says, unless it weighs otherwise than its rule. One about
    `PLACEMENT` says why no node runs the pods, so that PLACE-001 doesn't. One about `FAILURE` says why the system's operator can't go on,
    so that WB-003 doesn't.
    """

    NOTHING = 0
    REFERENCE = auto()
    PLACEMENT = auto()
    FAILURE = auto()


REFERENCE: Final = About.REFERENCE
PLACEMENT: Final = About.PLACEMENT
FAILURE: Final = About.FAILURE


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    `id` never changes; `name` reads as what one would allow. `reads` lists the kinds it looks up in the cluster, in order: those of its own
    group and of the core one by their names, others as ``Kind.group`` (what lies beside is seen as it will be there, and that may look up
    more). `good` and `bad` are two cases, of an object that passes and of one that doesn't. `mirrors` names the upstream check that it
    repeats earlier. `page` is the module's docstring.
    """

    id: str
    name: str
    severity: Severity
    kinds: tuple[str, ...]
    read: Callable[[Request, Facts, Configuration], Any]
    judge: Callable[[Any, Given], Said]
    good: str
    bad: str
    mirrors: str = ""
    reads: tuple[str, ...] = ()
    about: About = About.NOTHING
    since: str = "0.1.0"
    page: str = ""

    def check(self, request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
        """What the rule says of a request: pure, and total."""
        subject = self.read(request, facts, config)
        if subject is None:
            return
        for said in self.judge(subject, Given(request, facts, config)):
            if isinstance(said, NotChecked):
                yield Unchecked(f"{self.id} {self.name}", said.reason)
            else:
                yield self.finding(said)

    def finding(self, said: Violation) -> Finding:
        """What the check said, as a finding of this rule."""
        parts = (said.path, said.message, said.hint, said.found, said.expected, said.nearest)
        return Finding(self.id, said.severity or self.severity, *parts, configuration=said.configuration)

    @property
    def source(self) -> str:
        """What the rule goes by, with the version: the last paragraph of its page."""
        return " ".join(self.page.rpartition("Source: ")[2].split()).removesuffix(".")


class Terms(TypedDict, total=False):
    """What a rule says of itself besides its check, as `Rule` has it; `kinds` and `reads` are the subject's unless they are given."""

    good: str
    bad: str
    kinds: tuple[str, ...]
    reads: tuple[str, ...]
    mirrors: str
    about: About
    since: str


@dataclass(frozen=True, slots=True)
class Subject(Generic[_Subject]):
    """What the checks of several rules are given.

    `read` makes it of a request; `None` where there is nothing to judge. A check may take `Given` as a second parameter.
    """

    kinds: tuple[str, ...]
    read: Callable[[Request, Facts, Configuration], _Subject | None]
    reads: tuple[str, ...] = ()

    def error(self, **terms: Unpack[Terms]) -> Callable[[Check[_Subject]], Rule]:
        """A rule that refuses."""
        return self._rule(Severity.ERROR, terms)

    def warning(self, **terms: Unpack[Terms]) -> Callable[[Check[_Subject]], Rule]:
        """A rule that warns."""
        return self._rule(Severity.WARNING, terms)

    def note(self, **terms: Unpack[Terms]) -> Callable[[Check[_Subject]], Rule]:
        """A rule that is shown where it is asked for."""
        return self._rule(Severity.NOTE, terms)

    def _rule(self, severity: Severity, terms: Terms) -> Callable[[Check[_Subject]], Rule]:
        def made(check: Check[_Subject]) -> Rule:
            family, number, name = check.__module__.rpartition(".")[2].split("_", 2)
            id_ = f"{family.upper()}-{number}"
            terms.setdefault("kinds", self.kinds)
            terms.setdefault("reads", self.reads)
            page = check.__globals__["__doc__"] or ""
            return Rule(id_, name.replace("_", "-"), severity, read=self.read, judge=_with_both(check), page=page, **terms)

        return made


Check = Callable[[_Subject], Said] | Callable[[_Subject, Given], Said]


def _with_both(check: Any) -> Callable[[Any, Given], Said]:
    if check.__code__.co_argcount > 1:
        both: Callable[[Any, Given], Said] = check
        return both
    return lambda subject, _: check(subject)


def given_object(request: Request, facts: Facts, config: Configuration) -> Given | None:
    """The request with the facts and the configuration; `None` where it has no object."""
    return Given(request, facts, config) if isinstance(request.object, dict) else None
