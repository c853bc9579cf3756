"""What a change of one object does to others: which stored objects its operator would resolve differently, how, and which would break.

Each family says of its kinds which others they have a part in, and by which keys the store files these (`FAMILY.influences`). Those found
are resolved twice, by the facts before and after the change, and what comes of them is compared field by field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.family import Family, Influence, Kind
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Reported
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_equal

#: A dependent: its kind, and the object as it was and as it will be, which are the same where it doesn't change itself.
Dependent = tuple[Kind, JSONObject, JSONObject]


@dataclass(frozen=True, slots=True)
class Difference(Reported):
    """One value of what is predicted: the object and the field in it, and the value before and after, `None` where there is none.

    Without a field it is about the object as a whole, which is ``made`` or not.
    """

    object: str
    field: str
    before: JSONValue
    after: JSONValue


@dataclass(frozen=True, slots=True)
class Impact:
    """What becomes of one object.

    `was_made` is whether the operator made anything of it before; then come what differs, the failure before and after, and whether no node
    could run its pods before and after, with the scheduler's words.
    `unchecked` is why that can't be said, as far as it can't.
    """

    object: JSONObject
    differences: Sequence[Difference]
    was_made: bool = False
    failure_before: str = ""
    failure_after: str = ""
    never_ran: bool = False
    never_runs: bool = False
    why_never: str = ""
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
    """The objects known to `facts` that one of a kind has a part in, each once with its kind; found by the keys that they go by."""
    for influence in family.influences.get(kind, ()):
        keys = dict.fromkeys(influence.keys(changed, facts))
        for dependent in kinds_of(influence, changed, family):
            seen: set[tuple[str, str]] = set()
            for key in keys:
                found = facts.objects.readings_where(dependent.gvk.group, dependent.gvk.kind, itself, influence.goes_by, key)
                for place, obj in found:
                    if place not in seen:
                        seen.add(place)
                        yield dependent, obj


def kinds_of(influence: Influence, changed: JSONObject, family: Family) -> Sequence[Kind]:
    """The kinds of the dependents of an object. Where two groups have the same kinds, each knows its own alone."""
    named = [kind for kind in family.kinds if kind.gvk.kind == influence.dependents]
    return [kind for kind in named if kind.gvk.group == _group(changed)] or named


def impacts(found: Iterable[Dependent], family: Family, before: Facts, after: Facts, config: Configuration) -> Iterator[Impact]:
    """What becomes of each of these objects, where anything does."""
    for kind, was, will_be in found:
        impact = _impact(kind, was, will_be, family, before, after, config)
        if impact is not None:
            yield impact


def label(obj: JSONObject) -> str:
    """An object by its kind, namespace and name."""
    where = f"{namespace_of(obj)}/{name_of(obj)}" if namespace_of(obj) else name_of(obj)
    return f"{obj.get('kind')} {where}"


def _group(obj: JSONObject) -> str:
    return str(obj.get("apiVersion", "")).rpartition("/")[0]


def resolved(kind: Kind, obj: JSONObject, family: Family, facts: Facts, config: Configuration) -> Prediction | None:
    """What the operator makes of an object by these facts; `None` where that isn't predicted. `config` is that of its namespace."""
    resolve = family.predict.get(kind.gvk.kind)
    return resolve(_request(kind, obj), facts, config) if resolve is not None else None


def why_never(kind: Kind, obj: JSONObject, prediction: Prediction, facts: Facts, config: Configuration) -> str:
    """Why no node will ever run the pods of what is made of an object, in the scheduler's words; empty where one may."""
    if facts.inventory is None or not prediction.objects:
        return ""
    from weighbridge.policies.placement.request_pods import fits_now, placed

    made = prediction.placed() if prediction.placed is not None else prediction.objects
    # Most find a node, which is cheaper to say than where and why.
    if fits_now(_request(kind, obj), made, facts):
        return ""
    found = placed(made, facts, config, namespace_of(obj) or "default")
    if found is None or not found[1].outlook.is_hopeless:
        return ""
    return "; ".join(filter(None, (found[0].reasons, *found[1].nearest)))


def _request(kind: Kind, obj: JSONObject) -> Request:
    return Request("impact", Operation.CREATE, kind.gvk, obj, namespace=namespace_of(obj), name=name_of(obj))


def _impact(
    kind: Kind, was: JSONObject, will_be: JSONObject, family: Family, before: Facts, after: Facts, config: Configuration
) -> Impact | None:
    own = config.within(namespace_of(will_be))
    then, now = resolved(kind, was, family, before, own), resolved(kind, will_be, family, after, own)
    if then is None or now is None:
        return None
    differences = list(_differences(then, now))
    unchecked = "; ".join(dict.fromkeys(entry.reason for entry in now.unchecked))
    if not differences and then.failure == now.failure and not unchecked:
        return None
    told = ""
    never_ran = False
    if not now.failure and not deep_equal(list(then.objects), list(now.objects)):
        never_ran = bool(why_never(kind, was, then, before, own))
        told = why_never(kind, will_be, now, after, own)
    return Impact(will_be, differences, bool(then.objects), then.failure, now.failure, never_ran, bool(told), told, unchecked)


def _differences(before: Prediction, after: Prediction) -> Iterator[Difference]:
    """What differs, in the order of what was there before; what is only there after comes last."""
    made_before, made_after = _made(before), _made(after)
    for name in sorted(made_before.keys() ^ made_after.keys()):
        yield Difference(name, "", "made" if name in made_before else None, "made" if name in made_after else None)
    then, now = _leaves_of(before, made_after), _leaves_of(after, made_before)
    for key in dict.fromkeys((*then, *now)):
        if then.get(key) != now.get(key):
            yield Difference(*key, then.get(key), now.get(key))


def _made(prediction: Prediction) -> Mapping[str, JSONObject]:
    """What is made, by kind and name."""
    return {f"{obj.get('kind')}/{name_of(obj)}": obj for obj in prediction.objects}


def _leaves_of(prediction: Prediction, others: Mapping[str, JSONObject]) -> Mapping[tuple[str, str], JSONValue]:
    """Every value of a prediction by object and field: of objects that are made before and after, of what none holds, and status."""
    out: dict[tuple[str, str], JSONValue] = {}
    made = _made(prediction)
    for value in prediction.values:
        if value.object not in made and value.object not in others:
            out.setdefault((value.object, value.field), value.value)
    for name, obj in made.items():
        if name in others and not deep_equal(obj, others[name]):
            out.update(((name, field), value) for field, value in _leaves(obj))
    status = {key: value for key, value in prediction.status.items() if key != "conditions"}
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
