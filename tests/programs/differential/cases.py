"""The requests that are compared: an object, which is valid apart from what was broken in it, and how it is sent.

A case is drawn from hypothesis. Creations start from a generated object or from one of upstream's samples, updates from an object that the
server has stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.programs.differential import odd_values
from tests.programs.differential.body_text import Twice
from tests.programs.differential.broken import BREAKERS
from tests.programs.differential.dice import Dice
from tests.programs.differential.metadata import odd_metadata
from tests.programs.differential.resources import Edition
from tests.programs.differential.sites import Keyword, Site, reach
from tests.programs.differential.valid import valid, valid_map
from tests.programs.differential.yaml_text import Style, plain, yaml_style
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue, Operation, metadata_of
from weighbridge.policies.schema.go_values import deep_copy

_OWN_FIELDS: Final = ("apiVersion", "kind", "metadata")


class Whole(StrEnum):
    """The ways in which a whole object can be odd."""

    NOTHING = "nothing broken"
    METADATA = "metadata"
    TYPE = "apiVersion, kind"
    STATUS = "status in a body"
    ROOT = "the object's own fields"
    SCALE = "scale"
    YAML = "YAML"


@dataclass(frozen=True, slots=True)
class Case:
    """One request. `broken` are the names of the changes that broke the object; `stored` is the object that an update replaces.

    The body is sent as JSON, or as YAML where it has a `style`. It is a dry run, unless it is sent `in_earnest`.
    """

    edition: Edition
    operation: Operation
    body: JSONValue
    validation: FieldValidation = FieldValidation.STRICT
    broken: tuple[str, ...] = ()
    stored: JSONObject | None = None
    subresource: str = ""
    style: Style | None = None
    in_earnest: bool = False


@dataclass(slots=True)
class Shelf:
    """The objects of one edition that a server has stored."""

    edition: Edition
    stored: list[JSONObject] = field(default_factory=list)


def an_object(dice: Dice, edition: Edition) -> JSONObject:
    """An object that can be created, unless a rule refuses it."""
    gvk = edition.definition.gvk
    if edition.samples and dice.chance(40):
        obj: JSONObject = deep_copy(dice.pick(edition.samples))
        kept = {key: value for key, value in metadata_of(obj).items() if key in ("labels", "annotations")}
    else:
        obj = valid_map(dice, edition.schema)
        kept = {}
    return obj | {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": kept | {"name": dice.pick(("a", "some-name", "x.y"))}}


def break_keywords(dice: Dice, obj: JSONObject, edition: Edition, times: int, *, below: str = "") -> list[str]:
    """Break the object in place at a number of places, below a field or anywhere. Returns the broken keywords."""
    within = edition.sites_below(below) if below else edition.sites
    keywords = list(within)
    if Keyword.RULE in keywords:
        keywords += [Keyword.RULE, Keyword.RULE]
    broken = []
    for _ in range(times if keywords else 0):
        keyword = dice.pick(keywords)
        if _break_keyword(dice, obj, edition, keyword, within[keyword]):
            broken.append(str(keyword))
    return broken


def _break_keyword(dice: Dice, obj: JSONObject, edition: Edition, keyword: Keyword, places: Sequence[Site]) -> bool:
    """Break the keyword at one of the places; False if the object has another value on the way there."""
    spot = reach(dice, obj, edition.schema, dice.pick(places))
    if spot is not None:
        BREAKERS[keyword](dice, spot)
    return spot is not None


def _break_type(dice: Dice, obj: JSONObject, edition: Edition) -> None:
    gvk = edition.definition.gvk
    if dice.chance(50):
        values: tuple[JSONValue, ...] = (
            "", None, 1, {}, "v1", "a/b/c", gvk.group, f"{gvk.group}/v9", f"other/{gvk.version}", f"{gvk.group}/", f"/{gvk.version}", "é",
            *(f"{gvk.group}/{version}" for version in edition.definition.siblings),
        )  # fmt: skip
        obj["apiVersion"] = deep_copy(dice.pick(values))
    else:
        obj["kind"] = deep_copy(dice.pick(("", None, 1, [], "Pod", gvk.kind.lower(), f"{gvk.kind}List", "é", " ")))
    if dice.chance(25):
        obj.pop(dice.pick(("apiVersion", "kind")))
    if dice.chance(10):
        obj[dice.pick(("Kind", "KIND", "apiversion", "ApiVersion"))] = deep_copy(dice.pick(("x", 1, None, gvk.kind, gvk.api_version)))


def _break_root(dice: Dice, obj: JSONObject) -> None:
    names = sorted(set(obj) - set(_OWN_FIELDS)) or ["spec"]
    way = dice.number(0, 4)
    if way == 0:
        obj.pop(dice.pick(names), None)
    elif way == 1:
        obj[dice.pick(names)] = deep_copy(dice.pick(odd_values.SIMPLE))
    elif way == 2:
        obj[dice.pick(("zz", "Spec", "Metadata", "data", odd_values.key(dice)))] = odd_values.anything(dice)
    elif way == 3:
        name = dice.pick(sorted(obj))
        # The server also reads the first apiVersion and kind, but the engine gets only the last.
        first = "x" if name in ("apiVersion", "kind") else deep_copy(dice.pick(odd_values.SIMPLE))
        if not isinstance(obj[name], Twice):
            obj[name] = Twice(first, obj[name])
    else:
        obj.pop("metadata")


def _break_status(dice: Dice, obj: JSONObject, edition: Edition) -> None:
    described = edition.schema.properties.get("status")
    if described is None or dice.chance(30):
        obj["status"] = odd_values.anything(dice)
        return
    obj["status"] = valid(dice, described)
    break_keywords(dice, obj, edition, dice.number(0, 2), below="status")


def _break(dice: Dice, obj: JSONObject, edition: Edition, *, below: str = "") -> list[str]:
    """Break the object in one way or in a few."""
    way = dice.number(0, 99)
    if way < 65:
        return break_keywords(dice, obj, edition, 1, below=below)
    if way < 78:
        return break_keywords(dice, obj, edition, dice.number(2, 4), below=below)
    if way < 88:
        obj["metadata"] = odd_metadata(dice, obj["metadata"])
        return [Whole.METADATA]
    if way < 91:
        _break_type(dice, obj, edition)
        return [Whole.TYPE]
    if way < 94:
        _break_status(dice, obj, edition)
        return [Whole.STATUS]
    if way < 97:
        _break_root(dice, obj)
        return [Whole.ROOT]
    return []


def _validation(dice: Dice) -> FieldValidation:
    return dice.pick((FieldValidation.STRICT, FieldValidation.STRICT, FieldValidation.WARN, FieldValidation.IGNORE))


def _creation(dice: Dice, shelf: Shelf) -> Case:
    obj = an_object(dice, shelf.edition)
    broken = _break(dice, obj, shelf.edition)
    return Case(shelf.edition, Operation.CREATE, obj, _validation(dice), tuple(broken) or (Whole.NOTHING,))


def _update(dice: Dice, shelf: Shelf) -> Case:
    stored = dice.pick(shelf.stored)
    obj: JSONObject = deep_copy(stored)
    if dice.chance(20):
        # The stored object with another content.
        obj = {**an_object(dice, shelf.edition), "metadata": obj["metadata"]}
    broken = _break(dice, obj, shelf.edition) if dice.chance(85) else []
    return Case(shelf.edition, Operation.UPDATE, obj, _validation(dice), tuple(broken) or (Whole.NOTHING,), stored)


def _status(dice: Dice, shelf: Shelf) -> Case:
    stored = dice.pick(shelf.stored)
    obj: JSONObject = deep_copy(stored)
    described = shelf.edition.schema.properties.get("status")
    if described is not None and dice.chance(60):
        obj["status"] = valid(dice, described)
    below = "status" if dice.chance(80) else ""
    broken = _break(dice, obj, shelf.edition, below=below) if dice.chance(85) else []
    return Case(shelf.edition, Operation.UPDATE, obj, _validation(dice), tuple(broken) or (Whole.NOTHING,), stored, "status")


def _scale(dice: Dice, shelf: Shelf) -> Case:
    stored = dice.pick(shelf.stored)
    kept = {key: metadata_of(stored)[key] for key in ("name", "namespace", "resourceVersion", "uid") if key in metadata_of(stored)}
    scale: JSONObject = {
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": kept,
        "spec": {"replicas": dice.pick((0, 1, 13, 200))},
    }
    way = dice.number(0, 9)
    if way < 4:
        scale["spec"] = {"replicas": odd_values.number(dice) if dice.chance(50) else deep_copy(dice.pick(odd_values.SIMPLE))}
    elif way < 5:
        scale[dice.pick(("spec", "status", "zz", "kind", "apiVersion", "metadata"))] = deep_copy(dice.pick(odd_values.SIMPLE))
    elif way < 6:
        # The server also decodes the first of two values, but the engine gets only the last.
        odd = odd_metadata(dice, scale["metadata"])
        fields = odd.items() if isinstance(odd, dict) else ()
        scale["metadata"] = {key: Twice(at.second, at.second) if isinstance(at, Twice) else at for key, at in fields} or odd
    elif way < 7:
        scale["status"] = {"replicas": dice.pick((1, "x", None, 2**31)), "selector": dice.pick(("a=b", 1, None))}
    return Case(shelf.edition, Operation.UPDATE, scale, _validation(dice), (Whole.SCALE,), stored, "scale")


def _manifest(dice: Dice, shelf: Shelf) -> Case:
    """A creation from YAML with scalars that may be read in more than one way."""
    obj = an_object(dice, shelf.edition)
    keywords = [keyword for keyword in (Keyword.TYPE, Keyword.TEXT, Keyword.NUMBER, Keyword.PRESERVE) if keyword in shelf.edition.sites]
    for _ in range(dice.number(0, 3) if keywords else 0):
        spot = reach(dice, obj, shelf.edition.schema, dice.pick(shelf.edition.sites[dice.pick(keywords)]))
        if spot is not None:
            spot.value = plain(dice) if dice.chance(70) else odd_values.text(dice)
    return Case(shelf.edition, Operation.CREATE, obj, _validation(dice), (Whole.YAML,), style=yaml_style(dice))


def _of_one_keyword(dice: Dice, shelves: Sequence[Shelf]) -> Case:
    """A creation or an update with one broken keyword. Each keyword gets its turn, however few places have it."""
    keyword = dice.pick([keyword for keyword in Keyword if any(keyword in shelf.edition.sites for shelf in shelves)])
    shelf = dice.pick([shelf for shelf in shelves if keyword in shelf.edition.sites])
    stored = dice.pick(shelf.stored) if shelf.stored and dice.chance(40) else None
    obj = an_object(dice, shelf.edition)
    if stored is not None:
        obj = {**(deep_copy(stored) if dice.chance(50) else obj), "metadata": deep_copy(stored["metadata"])}
    _break_keyword(dice, obj, shelf.edition, keyword, shelf.edition.sites[keyword])
    operation = Operation.CREATE if stored is None else Operation.UPDATE
    return Case(shelf.edition, operation, obj, _validation(dice), (str(keyword),), stored)


@st.composite
def cases(draw: DrawFn, shelves: Sequence[Shelf]) -> Case:
    """A request for one of the editions."""
    dice = Dice(draw)
    if dice.chance(15):
        return _of_one_keyword(dice, shelves)
    # The CRDs made for tests have many keywords that the others lack.
    own = [shelf for shelf in shelves if not shelf.edition.samples and ".weighbridge." in f".{shelf.edition.crd.name}"]
    shelf = dice.pick(own) if own and dice.chance(20) else dice.pick(shelves)
    makers: list[Callable[[Dice, Shelf], Case]] = [_creation, _creation, _creation]
    if dice.chance(15):
        makers.append(_manifest)
    if shelf.stored:
        makers += [_update, _update]
        if shelf.edition.definition.status_subresource:
            makers.append(_status)
        if shelf.edition.definition.scale is not None and dice.chance(30):
            makers.append(_scale)
    return replace(dice.pick(makers)(dice, shelf), in_earnest=dice.chance(15))


@st.composite
def stored_bodies(draw: DrawFn, edition: Edition) -> JSONObject:
    """An object to store while the schema accepts anything: broken inside, but with good metadata."""
    dice = Dice(draw)
    obj = an_object(dice, edition)
    described = edition.schema.properties.get("status")
    if described is not None and dice.chance(70):
        obj["status"] = valid(dice, described)
    break_keywords(dice, obj, edition, dice.number(0, 3))
    return obj
