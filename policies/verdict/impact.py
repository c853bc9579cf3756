"""The effect of a change of one object on others: for which stored objects the prediction changes, how, and which objects break.

`FAMILY.influences` says which kinds depend on which, and by which keys the store files them. Each object that depends on the changed one is
predicted twice, with the facts before and after the change. The two predictions are compared field by field. Objects of a kind without a
prediction are compared by `FAMILY.failures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.family import Family, Influence, Kind
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Outlook, Reported
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_equal

#: A dependent: its kind, the object before, and the object after. The two are the same unless the object changes itself; a new object has
#: none before.
Dependent = tuple[Kind, JSONObject | None, JSONObject]


@dataclass(frozen=True, slots=True)
class Difference(Reported):
    """A predicted value that changes: its object, its field, and the value before and after, `None` where there is none.

    A difference without a field is about the whole object: its value is ``made``, or `None`.
    """

    object: str
    field: str
    before: JSONValue
    after: JSONValue


@dataclass(frozen=True, slots=True)
class Impact:
    """The effect of the change on one object.

    `was_made` says whether the operator created anything for it before. `never_ran` and `never_runs` say that no node can run its pods
    before and after the change; `why_never` has the scheduler's words for it. `why_later` says why no node can run them for now, if nodes
    could before. `unchecked` says what isn't known, and why.
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
    why_later: str = ""

    @property
    def breaks(self) -> bool:
        """Whether an object that worked before fails now, or has pods that no node can run any more."""
        return self.was_made and (bool(self.failure_after and not self.failure_before) or (self.never_runs and not self.never_ran))

    @property
    def differs(self) -> bool:
        """Whether anything changes for the object."""
        moved = self.never_ran != self.never_runs or bool(self.why_later)
        return bool(self.differences) or self.failure_before != self.failure_after or moved

    @property
    def mends(self) -> bool:
        """Whether a failure goes away, or pods find a node at last."""
        if self.failure_before:
            return not self.failure_after and not self.never_runs
        return self.never_ran and not self.never_runs and not self.why_later and not self.failure_after

    def as_json(self) -> JSONObject:
        """The impact as it is in reports."""
        out: JSONObject = {"kind": self.object.get("kind"), "namespace": namespace_of(self.object), "name": name_of(self.object)}
        out |= {"breaks": self.breaks, "mends": self.mends, "neverRuns": self.never_runs}
        out |= {"failure": {"before": self.failure_before, "after": self.failure_after}}
        out |= {"unchecked": self.unchecked} if self.unchecked else {}
        return {**out, "differences": [difference.as_json() for difference in self.differences]}


def let_policies_fill_in(config: Configuration) -> None:
    """Let the policies of a configuration also fill in objects that come with the judged one.

    The families, which read these objects, don't know policies.
    """
    if config.policies is not None and config.policies.fill_in and config.policies.fill_companion is None:
        from weighbridge.policies.verdict.own_fill_ins import fill_companion

        config.policies.fill_companion = fill_companion


def dependents(
    changed: JSONObject, family: Family, kind: str, facts: Facts, *, breaking: bool = False
) -> Iterator[tuple[Kind, JSONObject]]:
    """The known objects that depend on an object of a kind, each once, with their kind; if `breaking`, only those that may break.

    The store finds them by their keys.
    """
    for influence in family.breaking(kind) if breaking else family.influences.get(kind, ()):
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
    """The kinds of an object's dependents. If two groups have a kind of the same name, only that of the object's own group counts."""
    own = [kind for kind in family.kinds if kind.gvk.kind == influence.dependents]
    named = own or [kind for kind in family.looks_up if kind.gvk.kind == influence.dependents]
    return [kind for kind in named if kind.gvk.group == _group(changed)] or named


def impacts(
    found: Iterable[Dependent], family: Family, before: Facts, after: Facts, config: Configuration, *, moves_pods: bool = False
) -> Iterator[Impact]:
    """The impacts on these objects, without those that don't change.

    With `moves_pods` the change may move unchanged pods, as a change of a node does: all pods are placed before and after.
    """
    for kind, was, will_be in found:
        impact = _impact(kind, was, will_be, family, before, after, config, moves_pods=moves_pods)
        if impact is not None:
            yield impact


def label(obj: JSONObject) -> str:
    """An object by its kind, namespace and name."""
    where = f"{namespace_of(obj)}/{name_of(obj)}" if namespace_of(obj) else name_of(obj)
    return f"{obj.get('kind')} {where}"


def _group(obj: JSONObject) -> str:
    return str(obj.get("apiVersion", "")).rpartition("/")[0]


def resolved(kind: Kind, obj: JSONObject, family: Family, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction for an object with these facts; `None` if its kind has none. `config` is that of the object's namespace."""
    resolve = family.predict.get(kind.gvk.kind)
    return resolve(_request(kind, obj), facts, config) if resolve is not None else None


def failure_of(kind: Kind, obj: JSONObject, family: Family, facts: Facts, config: Configuration) -> str:
    """Why an object of a kind without a prediction doesn't work with these facts; empty if it does, or if that isn't known."""
    fails = family.failures.get(kind.gvk.kind)
    return fails(obj, facts, config) if fails is not None else ""


def why_never(obj: JSONObject, prediction: Prediction, facts: Facts, config: Configuration) -> str:
    """The scheduler's message if no node will ever run the pods that are created for an object; empty if a node may."""
    outlook, why = _outlook_of(obj, prediction, facts, config)
    return why if outlook.is_hopeless else ""


def _outlook_of(obj: JSONObject, prediction: Prediction, facts: Facts, config: Configuration) -> tuple[Outlook, str]:
    """The outlook of the pods that are created for an object, and the scheduler's message why none runs now."""
    if facts.inventory is None:
        return Outlook.NOW, ""
    made = prediction.placed() if prediction.placed is not None else prediction.objects
    if not made:
        return Outlook.NOW, ""
    from weighbridge.policies.placement.request_pods import outlook_of

    return outlook_of(made, facts, config, namespace_of(obj) or "default")


def _request(kind: Kind, obj: JSONObject) -> Request:
    return Request("impact", Operation.CREATE, kind.gvk, obj, namespace=namespace_of(obj), name=name_of(obj))


def _impact(
    kind: Kind,
    was: JSONObject | None,
    will_be: JSONObject,
    family: Family,
    before: Facts,
    after: Facts,
    config: Configuration,
    *,
    moves_pods: bool,
) -> Impact | None:
    own = config.within(namespace_of(will_be))
    if kind.gvk.kind not in family.predict:
        return _without_prediction(kind, was, will_be, family, before, after, own)
    then = resolved(kind, was, family, before, own) if was is not None else Prediction({})
    now = resolved(kind, will_be, family, after, own)
    if then is None or now is None:
        return None
    differences = list(_differences(then, now))
    unchecked = "; ".join(dict.fromkeys(entry.reason for entry in now.unchecked))
    earlier, (later, why) = Outlook.NOW, (Outlook.NOW, "")
    if not now.failure and (moves_pods or not deep_equal(list(then.objects), list(now.objects))):
        earlier = _outlook_of(was, then, before, own)[0] if was is not None else Outlook.NOW
        later, why = _outlook_of(will_be, now, after, own)
    never, waits = why if later.is_hopeless else "", why if later is Outlook.LATER and earlier is not Outlook.LATER else ""
    found = Impact(
        will_be, differences, bool(then.objects), then.failure, now.failure, earlier.is_hopeless, bool(never), never, unchecked, waits
    )
    return found if found.differs or unchecked else None


def _without_prediction(
    kind: Kind, was: JSONObject | None, will_be: JSONObject, family: Family, before: Facts, after: Facts, config: Configuration
) -> Impact | None:
    then = failure_of(kind, was, family, before, config) if was is not None else ""
    now = failure_of(kind, will_be, family, after, config)
    found = Impact(will_be, [], was_made=was is not None, failure_before=then, failure_after=now)
    return found if found.differs else None


def _differences(before: Prediction, after: Prediction) -> Iterator[Difference]:
    """The differences: objects that are created or not, then values in the order of the earlier prediction, then new values."""
    made_before, made_after = _made(before), _made(after)
    for name in sorted(made_before.keys() ^ made_after.keys()):
        yield Difference(name, "", "made" if name in made_before else None, "made" if name in made_after else None)
    then, now = _leaves_of(before, made_after), _leaves_of(after, made_before)
    for key in dict.fromkeys((*then, *now)):
        if then.get(key) != now.get(key):
            yield Difference(*key, then.get(key), now.get(key))


def _made(prediction: Prediction) -> Mapping[str, JSONObject]:
    """The created objects by kind and name."""
    return {f"{obj.get('kind')}/{name_of(obj)}": obj for obj in prediction.objects}


def _leaves_of(prediction: Prediction, others: Mapping[str, JSONObject]) -> Mapping[tuple[str, str], JSONValue]:
    """The values of a prediction by object and field: of objects that are created before and after, of no object, and of status."""
    out: dict[tuple[str, str], JSONValue] = {}
    made = _made(prediction)
    for value in prediction.values:
        if value.object not in made and value.object not in others:
            out.setdefault((value.object, value.field), value.value)
    for name, obj in made.items():
        if name in others and not deep_equal(obj, others[name]):
            out.update(((name, field), value) for field, value in _leaves(obj))
    status = {key: value for key, value in prediction.status.items() if key != "conditions"}
    # An empty status has no values to compare.
    out.update((("status", field), value) for field, value in _leaves(status) if field)
    return out


def _leaves(value: JSONValue, path: str = "") -> Iterator[tuple[str, JSONValue]]:
    """Every value that is neither map nor list, with its field. A list item with a name has it instead of its index, which may change."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            key = item.get("name", index) if isinstance(item, dict) else index
            yield from _leaves(item, f"{path}[{key}]")
    else:
        yield path, value
