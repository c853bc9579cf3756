"""The stored objects that a change of one object breaks: their operator fails on them from then on, or no node can run their pods.

Only objects that depend on the changed one are checked. A stored object whose manifest is given in the same run is left out, since the
manifest has a verdict of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.deadline import DeadlineExceededError
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.families.references import as_applied, as_stored
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.policies.verdict.impact import dependents, failure_of, kinds_of, label, resolved, why_never

#: The id of the finding that a change breaks other objects.
BREAKS: Final = "WB-002"
#: The most objects that are checked for one change, and the most that are named.
_MOST: Final = 200
_MOST_NAMED: Final = 5


def broken_objects(
    request: Request, family: Family, facts: Facts, config: Configuration, expired: Callable[[], bool]
) -> Iterator[Finding | Unchecked]:
    """One finding about all stored objects that a request breaks, and an `Unchecked` if some objects weren't checked.

    No further object is checked once the caller's deadline has passed.
    """
    old, new = (found if isinstance(found, dict) else None for found in (request.old_object, request.object))
    changed = new if new is not None else old
    if changed is None or not _changes(request) or not _some_are_stored(changed, family, request.gvk.kind, facts):
        return
    # On the command line the facts already have the judged object. If it is new, `before` is the facts without it.
    before, after = (facts.overlaid([found]) if found is not None else facts.without([changed]) for found in (old, new))
    broken: list[tuple[Kind, JSONObject, str]] = []
    looked_at, is_late, comparison = 0, False, _Comparison(family, before, after)
    try:
        for kind, obj in _stored_dependents(old, new, family, request.gvk.kind, before, after):
            is_late = expired()
            if is_late or looked_at >= _MOST:
                yield _cut(looked_at, is_late=is_late)
                break
            why = comparison.why_broken(kind, obj, config.within(namespace_of(obj)))
            looked_at += 1
            if why:
                broken.append((kind, obj, why))
    except DeadlineExceededError:
        is_late = True
        yield _cut(looked_at, is_late=True)
    if broken:
        named = ", ".join(label(obj) for _, obj, _ in broken[:_MOST_NAMED])
        more = f" and {len(broken) - _MOST_NAMED} more" if len(broken) > _MOST_NAMED else ""
        what, option = ("change", "-f FILE") if new is not None else ("deletion", f"--delete {_reference(changed)}")
        healing = "" if is_late else _healing(*broken[0], family, after, config)
        hint = f"{healing}to see each difference, run: weighbridge impact {option}"
        yield Finding(BREAKS, Severity.WARNING, (), f"this {what} breaks {named}{more}; of the first: {broken[0][2]}", hint)


def _cut(looked_at: int, *, is_late: bool) -> Unchecked:
    why = ", since the time ran out" if is_late else ""
    return Unchecked(f"{BREAKS} change-breaks-others", f"only the first {looked_at} of the objects that depend on it were checked{why}")


def _changes(request: Request) -> bool:
    old = request.old_object
    if not isinstance(request.object, dict) or not isinstance(old, dict):
        return True
    new = request.object
    return any(not deep_equal(new.get(part), old.get(part)) for part in ("spec", "data"))


def _some_are_stored(changed: JSONObject, family: Family, kind: str, facts: Facts) -> bool:
    """Whether the store has an object that could break, apart from those that are given in the same run."""
    kinds = [found.gvk for influence in family.breaking(kind) for found in kinds_of(influence, changed, family)]
    return any(facts.objects.number_of(gvk.group, gvk.kind) > facts.beside.number_of(gvk.group, gvk.kind) for gvk in kinds)


def _stored_dependents(
    old: JSONObject | None, new: JSONObject | None, family: Family, kind: str, before: Facts, after: Facts
) -> Iterator[tuple[Kind, JSONObject]]:
    """The objects that depend on the changed one, before or after the change, without those that are given in the same run."""
    seen: set[tuple[str, str, str]] = set()
    for version, facts in ((old, before), (new, after)):
        for found, obj in dependents(version, family, kind, facts, breaking=True) if version is not None else ():
            place = found.gvk.kind, namespace_of(obj), name_of(obj)
            if place not in seen and facts.beside.get(found.gvk.group, *place) is None:
                seen.add(place)
                yield found, obj


class _Comparison:
    """Compares the states before and after a change, object by object.

    Most objects find a node after the change, so that is checked first, and the state before needn't be predicted for them.
    """

    def __init__(self, family: Family, before: Facts, after: Facts) -> None:
        self._family, self._before, self._after = family, before, after

    def why_broken(self, kind: Kind, obj: JSONObject, config: Configuration) -> str:
        """Why the operator fails on an object from now on, or why no node can run its pods; empty if neither is so, or it was so before."""
        obj = as_stored(obj, namespace_of(obj), self._before, config)
        if kind.gvk.kind not in self._family.predict:
            why = failure_of(kind, obj, self._family, self._after, config)
            return "" if why and failure_of(kind, obj, self._family, self._before, config) else why
        now = resolved(kind, obj, self._family, self._after, config)
        if now is None:
            return ""
        why = "" if now.failure else why_never(obj, now, self._after, config)
        if not (now.failure or why):
            return ""
        then = resolved(kind, obj, self._family, self._before, config)
        if then is None or not then.objects:
            return ""
        if now.failure:
            return "" if then.failure else now.failure
        return "" if why_never(obj, then, self._before, config) else f"no node could run its pods: {why}"


def _healing(kind: Kind, obj: JSONObject, _: str, family: Family, after: Facts, config: Configuration) -> str:
    """The advice to apply a broken object again, if the values that are then filled in let it run."""
    if kind.gvk.kind not in family.fill:
        return ""
    own = config.within(namespace_of(obj))
    again = as_applied(obj, namespace_of(obj), after, own)
    now = resolved(kind, again, family, after, own)
    if now is None or now.failure or not now.objects or why_never(again, now, after, own):
        return ""
    return f"once {label(obj)} is applied again, it runs with what is filled in then; "


def _reference(obj: JSONObject) -> str:
    return "/".join(filter(None, (str(obj.get("kind")), namespace_of(obj), name_of(obj))))
