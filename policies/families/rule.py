"""The form of a rule: a check that gets a subject and yields what is wrong with it.

A rule is a module. The name of its file is the rule's id and name: `llmkube_085_image_not_pinned.py`. Its docstring is the rule's page; the
last paragraph names the source. Its `check` is decorated with a subject of the family and a severity::

    @off_metal.note(good="leaves-the-cuda-image-to-the-operator", bad="notes-a-tag-that-moves")
    def check(service: Service) -> Said:
        yield Violation(("spec", "image"), "has no tag", hint="pin a release")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Flag, auto
from typing import Any, Final, Generic, NamedTuple, TypedDict, TypeVar, Unpack

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request

_Subject = TypeVar("_Subject")


class Given(NamedTuple):
    """The request, the facts and the configuration of a verdict."""

    request: Request
    facts: Facts
    config: Configuration

    @property
    def object(self) -> JSONObject:
        """The judged object; an empty map if it isn't a map."""
        return self.request.object if isinstance(self.request.object, dict) else {}

    @property
    def spec(self) -> JSONObject:
        """The object's spec; an empty map if it has none."""
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
    """What is wrong with a field: its path, a message, and a hint that says what to do.

    The finding has the rule's id, and the rule's severity unless `severity` is set. `configuration` is the line that would allow the value.
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
    """The rule can't check the object because a fact is missing; `reason` says which."""

    reason: str


Said = Iterable[Violation | NotChecked]
#: What reads a subject from a request; `None` if there is nothing to judge.
Reader = Callable[[Request, Facts, Configuration], Any]


class Concern(Flag):
    """Topics of a rule's findings that the engine treats specially.

    The configuration's `references` sets the severity of findings about a `REFERENCE`, unless a finding has another severity than its rule.
    A finding about `PLACEMENT` says why no node runs the pods, and takes the place of PLACE-001. A finding about `FAILURE` says why the
    system's operator can't go on, and takes the place of WB-003. One about a `QUOTA` counts devices against ResourceQuotas, and takes the
    place of POD-002 for these.
    """

    NOTHING = 0
    REFERENCE = auto()
    PLACEMENT = auto()
    FAILURE = auto()
    QUOTA = auto()


REFERENCE: Final = Concern.REFERENCE
PLACEMENT: Final = Concern.PLACEMENT
FAILURE: Final = Concern.FAILURE
QUOTA: Final = Concern.QUOTA


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    `id` never changes. `name` names the mistake. `reads` lists the kinds that the rule looks up in the cluster, in order: a kind of its
    own group or of the core group by its name, others as ``Kind.group``. It doesn't list what is looked up for other objects of the same
    run, which a rule sees as they will be stored. `good` and `bad` name two cases: an object that passes, and one that doesn't. The first
    word of `bad` says what happens to that object: ``refuses``, ``warns`` or ``notes``. `mirrors` names the upstream check that the rule
    makes earlier. `topic` is the heading of the index under which the rule is listed, one of the rulebook's `TOPICS` if it has any. `page`
    is the module's docstring. With `takes_given` the check has `Given` as its second parameter.
    """

    id: str
    name: str
    severity: Severity
    kinds: tuple[str, ...]
    read: Reader
    judge: Callable[..., Said]
    good: str
    bad: str
    mirrors: str = ""
    reads: tuple[str, ...] = ()
    about: Concern = Concern.NOTHING
    topic: str = ""
    since: str = "0.1.0"
    page: str = ""
    takes_given: bool = True

    def check(self, request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
        """The findings of the rule on a request. It is pure and must not fail: a rule that does becomes a finding of WB-000."""
        subject, given = self.read(request, facts, config), Given(request, facts, config)
        if subject is not None:
            yield from map(self.stated, self.said(subject, given))

    def said(self, subject: Any, given: Given) -> Said:
        """What the check says of a subject."""
        return self.judge(subject, given) if self.takes_given else self.judge(subject)

    def stated(self, said: Violation | NotChecked) -> Finding | Unchecked:
        """What the check said, in the rule's name."""
        if not isinstance(said, NotChecked):
            return self.finding(said)
        _require_text(reason=said.reason)
        return Unchecked(f"{self.id} {self.name}", said.reason)

    def finding(self, said: Violation) -> Finding:
        """A violation as a finding of this rule. Raises TypeError if one of its texts isn't text, or if its path isn't a path."""
        _require_path(said.path)
        _require_text(message=said.message, hint=said.hint, found=said.found, expected=said.expected, nearest=said.nearest)
        parts = (said.path, said.message, said.hint, said.found, said.expected, said.nearest)
        return Finding(self.id, said.severity or self.severity, *parts, configuration=said.configuration)

    @property
    def source(self) -> str:
        """The upstream source of the rule, with its version: the last paragraph of its page."""
        return " ".join(self.page.rpartition("Source: ")[2].split()).removesuffix(".")


def unusable(module: str, kind: str, defect: Exception) -> Rule:
    """A rule in place of one whose module can't be imported. It fails as the import did, so that a verdict names it."""
    family, number, name = module.rpartition(".")[2].split("_", 2)

    def judge(_subject: object) -> Said:
        raise defect

    return Rule(
        f"{family.upper()}-{number}", name.replace("_", "-"), Severity.ERROR, (kind,), given_object, judge, "", "", takes_given=False
    )


def _require_path(path: object) -> None:
    if not isinstance(path, tuple) or not all(isinstance(step, str | int) for step in path):
        raise TypeError(f"path is {path!r}; write a tuple of names and indexes, such as ('spec', 'replicas')")


def _require_text(**values: object) -> None:
    for name, value in values.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is {value!r}; write it as text")


class Terms(TypedDict, total=False):
    """The fields of `Rule` that a decorator takes. `kinds` and `reads` are those of the subject unless they are given."""

    good: str
    bad: str
    kinds: tuple[str, ...]
    reads: tuple[str, ...]
    mirrors: str
    about: Concern
    topic: str
    since: str


@dataclass(frozen=True, slots=True)
class Subject(Generic[_Subject]):
    """What a check gets as its first parameter; several rules share a subject.

    `read` builds it from a request, or returns `None` if there is nothing to judge. A check may take `Given` as a second parameter.
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
        """A rule whose findings are shown only with `-v`."""
        return self._rule(Severity.NOTE, terms)

    def _rule(self, severity: Severity, terms: Terms) -> Callable[[Check[_Subject]], Rule]:
        def made(check: Check[_Subject]) -> Rule:
            family, number, name = check.__module__.rpartition(".")[2].split("_", 2)
            id_ = f"{family.upper()}-{number}"
            terms.setdefault("kinds", self.kinds)
            terms.setdefault("reads", self.reads)
            page = check.__globals__["__doc__"] or ""
            both = check.__code__.co_argcount > 1
            return Rule(id_, name.replace("_", "-"), severity, read=self.read, judge=check, page=page, takes_given=both, **terms)

        return made


Check = Callable[[_Subject], Said] | Callable[[_Subject, Given], Said]


def given_object(request: Request, facts: Facts, config: Configuration) -> Given | None:
    """The request with the facts and the configuration; `None` if it has no object."""
    return Given(request, facts, config) if isinstance(request.object, dict) else None


def of_object(read: Callable[[JSONObject], _Subject | None], group: str = "") -> Callable[[Request, Facts, Configuration], _Subject | None]:
    """Reads a subject from the object alone. It is `None` if the request has no object, or if the object's group isn't `group`."""

    def read_object(request: Request, *_: object) -> _Subject | None:
        return read(request.object) if isinstance(request.object, dict) and group in ("", request.gvk.group) else None

    return read_object
