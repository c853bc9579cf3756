"""Metadata of every kind: names, labels, annotations, finalizers, owners, times, managed fields, and values that are no metadata at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.programs.differential import odd_values
from tests.programs.differential.body_text import Twice
from tests.programs.differential.dice import Dice
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_copy

_NAMES: Final = (
    "a", "", "A", "a_b", "a.b", "a..b", "-a", "a-", ".", "..", "a/b", "a%b", "a" * 63, "a" * 253, "a" * 254, "é", " ", "a b", "1", "a\n",
    "%", "a:b", "x" * 300,
)  # fmt: skip
_LABEL_KEYS: Final = (
    "a", "", "a/b", "a.b/c", "A/b", "/a", "a/", "a/b/c", "a b", "-a", "a" * 63, "a" * 64, "a" * 254 + "/b", "é", "kubernetes.io/x",
    "a_b", "a.b", "a..b/c", "x.y.z/A_b.c-d",
)  # fmt: skip
_LABEL_VALUES: Final[tuple[JSONValue, ...]] = (
    "a", "", "a b", "a/b", "-a", "a" * 63, "a" * 64, "é", "A_b.c", " ", "a\n", None, 1, True, 1.5, [], {},
)  # fmt: skip
_FINALIZERS: Final[tuple[JSONValue, ...]] = (
    "a", "", "a/b", "a.b/c", "kubernetes", "orphan", "foregroundDeletion", "a b", "A", "a.b", "/", "a/", "/a", "a" * 300, "é/é", None, 1,
    "a/b/c", "example.com/A_b",
)  # fmt: skip
_TIMES: Final[tuple[JSONValue, ...]] = (
    "2026-01-01T00:00:00Z", "2020-02-30T00:00:00Z", "yesterday", "", None, 1, "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00+02:00",
    "2026-01-01", {}, "0001-01-01T00:00:00Z", "2026-1-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00+25:00",
    "10000-01-01T00:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01t00:00:00z", "2026-01-01T00:00:00,5Z",
)  # fmt: skip
_TEXTS: Final[tuple[JSONValue, ...]] = ("", "a", "1", "0", "abc", None, 1, True, [], {}, "18446744073709551616", "-1", "1.5", " 1", "é")
_INTEGERS: Final[tuple[JSONValue, ...]] = (0, 1, -1, 1.0, 1.5, "1", None, 2**63 - 1, 2**63, -0.0, 1e3, 1e30, True, {})


_FIELDS: Final = (
    "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
    "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers", "managedFields",
)  # fmt: skip


def odd_metadata(dice: Dice, metadata: JSONValue) -> JSONValue:
    """The metadata with something odd in it, or something else in its place."""
    if dice.chance(4):
        return deep_copy(dice.pick((*odd_values.SIMPLE, 42, "x")))
    changed = dict(metadata) if isinstance(metadata, dict) else {}
    for _ in range(dice.number(1, 2)):
        dice.pick(_CHANGES)(dice, changed)
    return changed


def _name(dice: Dice, metadata: JSONObject) -> None:
    metadata[dice.pick(("name", "name", "generateName"))] = (
        dice.pick(_NAMES) if dice.chance(80) else deep_copy(dice.pick(odd_values.SIMPLE))
    )


def _generated(dice: Dice, metadata: JSONObject) -> None:
    if dice.chance(70):
        metadata.pop("name", None)
    metadata["generateName"] = dice.pick(
        ("a-", "A-", "a" * 57, "a" * 58, "a" * 60, "é" * 40, "", "a.", "a_", "-", "a/", None, 1, "x" * 253)
    )


def _namespace(dice: Dice, metadata: JSONObject) -> None:
    metadata["namespace"] = dice.pick(("default", "other", "", None, 1, "A", "a/b", {}))


def _labels(dice: Dice, metadata: JSONObject) -> None:
    metadata["labels"] = {dice.pick(_LABEL_KEYS): dice.pick(_LABEL_VALUES[:11]) for _ in range(dice.number(1, 3))}
    if dice.chance(30):
        metadata["labels"][dice.pick(_LABEL_KEYS)] = deep_copy(dice.pick(_LABEL_VALUES))
    if dice.chance(15):
        metadata["labels"] = deep_copy(dice.pick(odd_values.SIMPLE))


def _annotations(dice: Dice, metadata: JSONObject) -> None:
    metadata["annotations"] = {dice.pick((*_LABEL_KEYS, odd_values.key(dice))): odd_values.text(dice) for _ in range(dice.number(1, 3))}
    if dice.chance(20):
        metadata["annotations"][dice.pick(_LABEL_KEYS)] = dice.pick(("x" * 262140, "x" * 262143, "x" * 262144, None, 1, {}, "é" * 131072))
    if dice.chance(10):
        metadata["annotations"] = deep_copy(dice.pick(odd_values.SIMPLE))


def _finalizers(dice: Dice, metadata: JSONObject) -> None:
    metadata["finalizers"] = [dice.pick(_FINALIZERS) for _ in range(dice.number(0, 3))]
    if dice.chance(15):
        metadata["finalizers"] = deep_copy(dice.pick(odd_values.SIMPLE))


def _owner(dice: Dice) -> JSONValue:
    owner: JSONObject = {"apiVersion": "v1", "kind": "Pod", "name": "o", "uid": "u1"}
    for field in dice.some(("apiVersion", "kind", "name", "uid"), 2):
        choices: tuple[JSONValue, ...] = ("", "a/b/c", "a/v1", "v1", "Event", "é", None, 1, "u2", "events.k8s.io/v1", "/", "a/")
        owner[field] = dice.pick(choices)
    for field in dice.some(("controller", "blockOwnerDeletion", "zz", "Kind"), 2):
        owner[field] = dice.pick((True, True, False, None, "true", 1))
    if dice.chance(20):
        owner.pop(dice.pick(("apiVersion", "kind", "name", "uid")), None)
    return owner if dice.chance(95) else deep_copy(dice.pick(odd_values.SIMPLE))


def _owners(dice: Dice, metadata: JSONObject) -> None:
    metadata["ownerReferences"] = [_owner(dice) for _ in range(dice.number(0, 3))]
    if dice.chance(30) and metadata["ownerReferences"]:
        metadata["ownerReferences"] += deep_copy(metadata["ownerReferences"][:1])
    if dice.chance(5):
        metadata["ownerReferences"] = deep_copy(dice.pick(odd_values.SIMPLE))


def _times(dice: Dice, metadata: JSONObject) -> None:
    metadata[dice.pick(("creationTimestamp", "deletionTimestamp"))] = deep_copy(dice.pick(_TIMES))


def _integers(dice: Dice, metadata: JSONObject) -> None:
    metadata[dice.pick(("generation", "deletionGracePeriodSeconds"))] = deep_copy(dice.pick(_INTEGERS))


def _texts(dice: Dice, metadata: JSONObject) -> None:
    metadata[dice.pick(("uid", "resourceVersion", "selfLink"))] = deep_copy(dice.pick(_TEXTS))


def _managed_fields(dice: Dice, metadata: JSONObject) -> None:
    entry: JSONObject = {
        "manager": "m",
        "operation": "Update",
        "apiVersion": "v1",
        "time": "2026-01-01T00:00:00Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {}},
    }
    for field in dice.some(sorted(entry), 2):
        entry[field] = deep_copy(dice.pick(("", "x", "Apply", None, 1, {}, [], {"f:a": 1}, "é" * 200, "status")))
    metadata["managedFields"] = [entry] if dice.chance(90) else deep_copy(dice.pick(odd_values.SIMPLE))


def _unknown(dice: Dice, metadata: JSONObject) -> None:
    metadata[dice.pick(("zz", "Name", "clusterName", "initializers", "label", odd_values.key(dice)))] = odd_values.anything(dice)


def _wrong_type(dice: Dice, metadata: JSONObject) -> None:
    metadata[dice.pick(_FIELDS)] = deep_copy(dice.pick(odd_values.SIMPLE)) if dice.chance(70) else odd_values.anything(dice)


def _duplicate(dice: Dice, metadata: JSONObject) -> None:
    for field in dice.some(sorted(metadata), 2):
        if not isinstance(metadata[field], Twice):
            metadata[field] = Twice(deep_copy(dice.pick(odd_values.SIMPLE)), metadata[field])


_CHANGES: Final[tuple[Callable[[Dice, JSONObject], None], ...]] = (
    _name, _generated, _namespace, _labels, _annotations, _finalizers, _owners, _times, _integers, _texts, _managed_fields, _unknown,
    _wrong_type, _duplicate,
)  # fmt: skip
