"""Remembers the webhook's verdicts by their requests, each until something on which it depends changes.

The same object comes again and again: as a dry run before it is applied, and whenever GitOps checks the cluster for drift. A
verdict depends on few of the cluster's objects (`weighbridge.policies.facts.reads`), so that it outlives changes of all others.

Most writes come once: after a write, the next one has another stored object. So the verdict on a write is remembered when the write comes
for the second time, and the verdict on a dry run at once.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from marshal import dumps
from typing import Final, NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.reads import ReadingStore, Reads
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.fields import text, texts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, JSONValue, Operation, metadata_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.policies.verdict.judgement import INTERNAL_RULE

#: Computes a verdict with these facts.
Work = Callable[[Facts], Decision]

#: The oldest form of marshal has no references between equal parts, so equal values give equal bytes.
_PLAIN: Final = 0
_DIGEST_BYTES: Final = 16
#: Longer objects are rare, and their verdicts may be long too.
_LONGEST: Final = 32 * 1024
#: The most counted bytes of all verdicts: the parts that an author can make long, and a fixed size for each verdict and for what it has
#: read.
_MOST_BYTES: Final = 6 * 1024 * 1024
_BYTES_OF_ONE: Final = 600
_BYTES_OF_A_LOOK: Final = 120
#: The most writes of which only the digest is kept.
_MOST_WRITES: Final = 4096
#: Fields that the server sets with every write. Rules and predictions read at most whether they are there.
_BOOKKEEPING: Final = frozenset({"resourceVersion"})
#: Fields that it sets in a new object; on a creation they don't matter either.
_OF_CREATION: Final = _BOOKKEEPING | {"uid", "creationTimestamp"}


class Remembered(NamedTuple):
    """A verdict with the reads on which it depends, and its size in bytes."""

    decision: Decision
    reads: Reads
    size: int


class Verdicts:
    """The verdicts of one server on its latest requests; the oldest are dropped first."""

    def __init__(self) -> None:
        self._known: dict[bytes, Remembered] = {}
        #: The digests of writes that came once, in their order.
        self._once: dict[bytes, None] = {}
        #: Whether the verdict on a write is remembered at once, as in a copy of the process, which judges only one.
        self.keeps_first = False
        #: Their counted bytes.
        self.size = 0
        #: The latest verdict, by the digest of its request, if it was kept.
        self.kept: tuple[bytes, Remembered] | None = None
        #: What all of them depend on.
        self._by: tuple[Facts, Configuration] | None = None

    def __len__(self) -> int:
        return len(self._known)

    def once(
        self, request: Request, facts: Facts, config: Configuration, phase: Phase, work_out: Work, is_late: Callable[[], bool]
    ) -> Decision:
        """The verdict of `work_out` on a request in a phase; a remembered one has no objects.

        A verdict isn't remembered if it depends on the time or on how old the facts are, if a part of it failed, or if the deadline has
        passed at its end, since something may have been left out.
        """
        self.kept = None
        if request.moment is not None or facts.staleness is not None or (phase is Phase.MUTATE and not _is_filled(request.gvk)):
            return work_out(facts)
        if (key := _content_of(request, phase)) is None:
            return work_out(facts)
        self._keep_by(facts, config)
        known = self._known.get(key)
        if known is not None:
            if (reads := known.reads.again(facts.objects)) is not None:
                if reads is not known.reads:
                    self._known[key] = known._replace(reads=reads)
                return known.decision
            self._drop(key)
        elif not request.dry_run and not self.keeps_first and self._comes_first(key):
            return work_out(facts)
        read = ReadingStore(facts.objects)
        decision = work_out(replace(facts, objects=read))
        reads, failed = read.reads(), any(finding.rule == INTERNAL_RULE for finding in decision.findings)
        # A verdict without look-ups is quickly computed again.
        if reads.looks and not failed and not is_late():
            self._keep(key, decision, reads)
        return decision

    def _comes_first(self, key: bytes) -> bool:
        """Note that a write has come. Returns whether it is for the first time; of old ones that isn't known."""
        if key in self._once:
            del self._once[key]
            return False
        self._once[key] = None
        if len(self._once) > _MOST_WRITES:
            del self._once[next(iter(self._once))]
        return True

    def take(self, key: bytes, verdict: Remembered, facts: Facts, config: Configuration) -> None:
        """Keep a verdict that a copy of this process has computed with these facts and this configuration."""
        self._keep_by(facts, config)
        if key in self._known:
            self._drop(key)
        self._add(key, verdict)

    def _keep_by(self, facts: Facts, config: Configuration) -> None:
        """Drop all verdicts that depend on other nodes, definitions or settings."""
        if self._by is None or self._by[0] is not facts or self._by[1] is not config:
            self._known.clear()
            self._by, self.size = (facts, config), 0

    def _keep(self, key: bytes, decision: Decision, reads: Reads) -> None:
        size = _size_of(decision)
        if size > _LONGEST:
            return
        size += _BYTES_OF_ONE + len(reads.looks) * _BYTES_OF_A_LOOK
        self.kept = key, Remembered(decision.summary(), reads, size)
        self._add(*self.kept)

    def _add(self, key: bytes, verdict: Remembered) -> None:
        self._known[key] = verdict
        self.size += verdict.size
        while self.size > _MOST_BYTES:
            self._drop(next(iter(self._known)))

    def _drop(self, key: bytes) -> None:
        self.size -= self._known.pop(key).size


def _is_filled(gvk: GroupVersionKind) -> bool:
    """Whether the mutating webhook can change objects of a kind."""
    family = family_of(gvk.group)
    return family is not None and gvk.kind in family.fill


def _content_of(request: Request, phase: Phase) -> bytes | None:
    """A digest of all that a verdict depends on, except the facts and the configuration; `None` if that is too long or too deep."""
    passed_over = _OF_CREATION if request.operation is Operation.CREATE else _BOOKKEEPING
    gvk, resource, user = request.gvk, request.resource, request.user_info
    content = (
        *(phase.value, request.operation.value, request.field_validation.value, gvk.group, gvk.version, gvk.kind),
        (resource.group, resource.version, resource.resource) if resource is not None else None,
        *(request.subresource, request.namespace, request.name),
        *(_judged_of(request.object, passed_over), _judged_of(request.old_object, _BOOKKEEPING)),
        *(text(user, "username"), texts(user, "groups")),
    )
    try:
        plain = dumps(content, _PLAIN)
    except ValueError:
        return None
    return blake2b(plain, digest_size=_DIGEST_BYTES).digest() if len(plain) <= _LONGEST else None


def _judged_of(obj: JSONValue, passed_over: frozenset[str]) -> JSONValue:
    if not isinstance(obj, dict):
        return obj
    metadata = metadata_of(obj)
    entries = metadata.get("managedFields")
    if passed_over.isdisjoint(metadata) and not entries:
        return obj
    judged = {key: None if key in passed_over else value for key, value in metadata.items()}
    if isinstance(entries, list):
        # Filled-in values depend on who wrote a field, but not on when.
        judged["managedFields"] = list(map(_without_time, entries))
    return {**obj, "metadata": judged}


def _without_time(entry: JSONValue) -> JSONValue:
    return {key: value for key, value in entry.items() if key != "time"} if isinstance(entry, dict) else entry


def _size_of(decision: Decision) -> int:
    """The length of the parts that an author can make long."""
    said = sum(len(finding.message) + len(finding.hint) + len(finding.found) + len(finding.expected) for finding in decision.findings)
    unchecked = sum(len(entry.reason) for entry in decision.unchecked)
    return len(decision.message) + said + unchecked + sum(map(len, decision.warnings)) + len(dumps(list(decision.patch), _PLAIN))
