"""What a change of one object does to others: which stored objects its operator would resolve differently, how, and which would break.

Each family says of its kinds which others they influence (`FAMILY.influences`). The objects of these are resolved twice, by the facts
before and after the change, and what comes of them is compared field by field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.effective import Effective
from policies.families.family import Family, Kind
from policies.findings import Finding, Severity
from policies.objects import JSONObject, JSONValue, Operation, name_of, namespace_of
from policies.prediction import predict
from policies.request import Request
from policies.schema.go_values import deep_equal

#: The id under which it is told that a change breaks other objects.
BREAKS: Final = "WB-002"
#: How many objects a webhook looks at for one change, and how many it names.
_MOST_IN_WEBHOOK: Final = 200
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Difference:
    """One value of what is predicted: the object and the field in it, and the value before and after, `None` where there is none.

    Without a field it is about the object as a whole, which is ``made`` or not.
    """

    object: str
    field: str
    before: JSONValue
    after: JSONValue

    def as_json(self) -> JSONObject:
        """The difference as reports hold it."""
        return {"object": self.object, "field": self.field, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class Impact:
    """What becomes of one object.

    `was_made` is whether the operator made anything of it before; then come what differs, the failure before and after, and whether no node
    could run its pods before and after.
    `unchecked` is why that can't be said, as far as it can't.
    """

    object: JSONObject
    differences: Sequence[Difference]
    was_made: bool = False
    failure_before: str = ""
    failure_after: str = ""
    never_ran: bool = False
    never_runs: bool = False
    unchecked: str = ""

    @property
    def breaks(self) -> bool:
        """Whether what was made before now comes to a failure, or to pods that no node can run any more."""
        return self.was_made and (bool(self.failure_after and not self.failure_before) or (self.never_runs and not self.never_ran))

    @property
    def differs(self) -> bool:
        """Whether anything becomes of it."""
        return bool(self.differences) or self.failure_before != self.failure_after

    @property
    def mends(self) -> bool:
        """Whether a failure goes away."""
        return bool(self.failure_before and not self.failure_after)

    def as_json(self) -> JSONObject:
        """The impact as reports hold it."""
        out: JSONObject = {"kind": self.object.get("kind"), "namespace": namespace_of(self.object), "name": name_of(self.object)}
        out |= {"breaks": self.breaks, "mends": self.mends, "neverRuns": self.never_runs}
        out |= {"failure": {"before": self.failure_before, "after": self.failure_after}}
        out |= {"unchecked": self.unchecked} if self.unchecked else {}
        return {**out, "differences": [difference.as_json() for difference in self.differences]}


def dependents(changed: JSONObject, family: Family, kind: str, facts: Facts) -> Iterator[tuple[Kind, JSONObject]]:
    """The stored objects that a changed one of a kind may influence, each with its kind; of a namespaced one those beside it."""
    namespace = namespace_of(changed) or None
    for name in family.influences.get(kind, ()):
        named = [dependent for dependent in family.kinds if dependent.gvk.kind == name]
        # Where two groups have the same kinds, each knows its own alone.
        for dependent in [found for found in named if found.gvk.group == _group(changed)] or named:
            for obj in facts.objects.list(dependent.gvk.group, dependent.gvk.kind, namespace):
                yield dependent, obj


def impacts(
    found: Iterable[tuple[Kind, JSONObject]], family: Family, before: Facts, after: Facts, config: Configuration
) -> Iterator[Impact]:
    """What becomes of each of these objects, where anything does."""
    for kind, obj in found:
        impact = _impact(kind, obj, family, before, after, config)
        if impact is not None:
            yield impact


def broken_objects(request: Request, family: Family, facts: Facts, config: Configuration) -> Iterator[Finding]:
    """A finding about the stored objects that a request breaks, if it breaks any."""
    old, new = (found if isinstance(found, dict) else None for found in (request.old_object, request.object))
    changed = new if new is not None else old
    if request.gvk.kind not in family.influences or changed is None or not _changes(request):
        return
    # On the command line the judged object has taken its place in the facts already; a new one is compared with its absence.
    before, after = (facts.overlaid([found]) if found is not None else facts.without([changed]) for found in (old, new))
    all_found = dependents(changed, family, request.gvk.kind, facts)
    found = [pair for pair, _ in zip(all_found, range(_MOST_IN_WEBHOOK), strict=False)]
    broken = [impact for impact in impacts(found, family, before, after, config) if impact.breaks]
    if broken:
        named = ", ".join(label(impact.object) for impact in broken[:_MOST_NAMED])
        more = f" and {len(broken) - _MOST_NAMED} more" if len(broken) > _MOST_NAMED else ""
        why = broken[0].failure_after or "no node could run its pods"
        what, option = ("change", "-f FILE") if new is not None else ("deletion", f"--delete {_reference(changed)}")
        hint = f"to see each difference, run: weighbridge impact {option}"
        yield Finding(BREAKS, Severity.WARNING, (), f"this {what} breaks {named}{more}; of the first: {why}", hint)


def _reference(obj: JSONObject) -> str:
    return "/".join(filter(None, (str(obj.get("kind")), namespace_of(obj), name_of(obj))))


def label(obj: JSONObject) -> str:
    """An object by its kind, namespace and name."""
    where = f"{namespace_of(obj)}/{name_of(obj)}" if namespace_of(obj) else name_of(obj)
    return f"{obj.get('kind')} {where}"


def _group(obj: JSONObject) -> str:
    return str(obj.get("apiVersion", "")).rpartition("/")[0]


def _changes(request: Request) -> bool:
    old = request.old_object
    return request.object is None or not isinstance(old, dict) or not deep_equal(request.object.get("spec"), old.get("spec"))


def _request(kind: Kind, obj: JSONObject) -> Request:
    return Request("impact", Operation.CREATE, kind.gvk, obj, namespace=namespace_of(obj), name=name_of(obj))


def _impact(kind: Kind, obj: JSONObject, family: Family, before: Facts, after: Facts, config: Configuration) -> Impact | None:
    resolve, own = family.resolve.get(kind.gvk.kind), config.within(namespace_of(obj))
    if resolve is None:
        return None
    then, now = resolve(_request(kind, obj), before, own), resolve(_request(kind, obj), after, own)
    if then is None or now is None:
        return None
    differences = list(_differences(then, now))
    unchecked = "; ".join(dict.fromkeys(entry.reason for entry in now.unchecked))
    if not differences and then.failure == now.failure and not unchecked:
        return None
    never_ran = never_runs = False
    if not now.failure and not deep_equal(list(then.objects), list(now.objects)):
        never_ran, never_runs = _never(kind, obj, family, before, own), _never(kind, obj, family, after, own)
    return Impact(obj, differences, bool(then.objects), then.failure, now.failure, never_ran, never_runs, unchecked)


def _never(kind: Kind, obj: JSONObject, family: Family, facts: Facts, config: Configuration) -> bool:
    placement = predict(_request(kind, obj), facts, config, family, is_offline=True).placement
    return placement is not None and placement.outlook.is_hopeless


def _differences(before: Effective, after: Effective) -> Iterator[Difference]:
    """What differs, in the order of what was there before; what is only there after comes last."""
    made_before, made_after = _made(before), _made(after)
    for name in sorted(made_before.keys() ^ made_after.keys()):
        yield Difference(name, "", "made" if name in made_before else None, "made" if name in made_after else None)
    then, now = _leaves_of(before, made_after), _leaves_of(after, made_before)
    for key in dict.fromkeys((*then, *now)):
        if then.get(key) != now.get(key):
            yield Difference(*key, then.get(key), now.get(key))


def _made(effective: Effective) -> Mapping[str, JSONObject]:
    """What is made, by kind and name."""
    return {f"{obj.get('kind')}/{name_of(obj)}": obj for obj in effective.objects}


def _leaves_of(effective: Effective, others: Mapping[str, JSONObject]) -> Mapping[tuple[str, str], JSONValue]:
    """Every value of a prediction by object and field: of objects that are made before and after, of what none holds, and status."""
    out: dict[tuple[str, str], JSONValue] = {}
    made = _made(effective)
    for value in effective.values:
        if value.object not in made and value.object not in others:
            out.setdefault((value.object, value.field), value.value)
    for name, obj in made.items():
        if name in others and not deep_equal(obj, others[name]):
            out.update(((name, field), value) for field, value in _leaves(obj))
    status = {key: value for key, value in effective.status.items() if key != "conditions"}
    # An empty one is nothing that comes or goes.
    out.update((("status", field), value) for field, value in _leaves(status) if field)
    return out


def _leaves(value: JSONValue, path: str = "") -> Iterator[tuple[str, JSONValue]]:
    """Every value that is no map and no list, with its field; items with names go by these, since others may come before them."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            key = item.get("name", index) if isinstance(item, dict) else index
            yield from _leaves(item, f"{path}[{key}]")
    else:
        yield path, value
