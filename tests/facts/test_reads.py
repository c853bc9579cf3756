"""A record of reads is valid until one of the read objects changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.reads import ReadingStore
from weighbridge.policies.facts.store import itself
from weighbridge.policies.ground.objects import JSONObject, name_of

MAPS = ("", "ConfigMap")
Step = Callable[[ObjectStore], object]


def config_map(name: str, namespace: str = "n", **data: Any) -> JSONObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data}


def team(obj: JSONObject) -> str | None:
    found: str | None = obj["data"].get("team")
    return found


def teams(obj: JSONObject) -> tuple[str, ...]:
    found = team(obj)
    return (found,) if found else ()


def put(name: str, namespace: str = "n", **data: Any) -> Step:
    return lambda store: store.put(config_map(name, namespace, **data))


def discard(name: str) -> Step:
    return lambda store: store.discard(*MAPS, "n", name)


def a_store() -> ObjectStore:
    store = ObjectStore([config_map("a", team="x"), config_map("b", team="y"), config_map("c", "m", team="x")])
    store.complete()
    return store


def get(store: ObjectStore) -> object:
    return store.get(*MAPS, "n", "a")


def get_absent(store: ObjectStore) -> object:
    return store.get(*MAPS, "n", "z")


def of_namespace(store: ObjectStore) -> object:
    return list(store.list(*MAPS, "n"))


def of_all(store: ObjectStore) -> object:
    return list(store.list(*MAPS))


def where(store: ObjectStore) -> object:
    return store.where(*MAPS, team, "x")


def read_where(store: ObjectStore) -> object:
    return store.read_where(*MAPS, itself, teams, "x")


def read(store: ObjectStore) -> object:
    return store.read(*MAPS, name_of)


def number(store: ObjectStore) -> object:
    return store.number_of(*MAPS)


def knows(store: ObjectStore) -> object:
    return store.knows_all(*MAPS)


def kinds(store: ObjectStore) -> object:
    return store.kinds()


def once(store: ObjectStore) -> object:
    return store.once((MAPS, ("", "Secret")), once, lambda: 1)


def beneath(store: ObjectStore) -> object:
    return store.beneath((MAPS,))


FORGET: Step = lambda store: store.forget(*MAPS)  # noqa: E731
SECRET: Step = lambda store: store.put({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "n"}})  # noqa: E731
COMPLETE: Step = lambda store: store.complete()  # noqa: E731
REPLACE: Step = lambda store: store.replace(*MAPS, [config_map("a", team="x")])  # noqa: E731

#: A read, the changes that don't affect its result, and those that do.
LOOKS: list[tuple[Step, list[Step], list[Step]]] = [
    (get, [put("b", team="z"), put("a", "m"), put("d"), put("a", team="x"), SECRET], [put("a", team="z"), discard("a"), FORGET, REPLACE]),
    (get_absent, [put("a", team="z"), discard("a"), put("z", "m")], [put("z")]),
    (of_namespace, [put("c", "m", team="z"), put("d", "m"), SECRET], [put("b", team="z"), put("d"), discard("b"), FORGET]),
    (of_all, [SECRET, put("a", team="x")], [put("c", "m", team="z"), put("d", "m"), discard("b")]),
    (where, [put("b", team="z"), put("d", team="y"), discard("b")], [put("a", team="y"), put("d", team="x"), discard("a")]),
    (read_where, [put("b", team="z"), put("d"), discard("b")], [put("a", team="y"), put("a", team="x", more=1), put("d", team="x")]),
    (read, [SECRET], [put("d"), put("a", team="y"), discard("b")]),
    (number, [put("a", team="y"), SECRET], [put("d"), discard("b")]),
    (knows, [put("d"), discard("b"), COMPLETE], [FORGET]),
    (kinds, [put("d")], [SECRET, FORGET]),
    (once, [put("a", team="x")], [put("d"), SECRET, COMPLETE, FORGET]),
    (beneath, [SECRET], [put("d"), discard("a")]),
]


@pytest.mark.parametrize(("look", "changes"), [(look, changes) for look, changes, _ in LOOKS])
def test_what_was_read_outlives_changes_of_other_things(look: Step, changes: list[Step]) -> None:
    for change in changes:
        store = a_store()
        reading = ReadingStore(store)
        assert look(reading) == look(store)
        before, reads = look(store), reading.reads()
        change(store)
        assert look(store) == before
        again = reads.again(store)
        assert again is not None
        assert again.changes == store.changes


@pytest.mark.parametrize(("look", "changes"), [(look, changes) for look, _, changes in LOOKS])
def test_what_was_read_is_out_of_date_after_a_change_of_it(look: Step, changes: list[Step]) -> None:
    for change in changes:
        store = a_store()
        reading = ReadingStore(store)
        look(reading)
        reads = reading.reads()
        assert reads.again(store) is reads
        change(store)
        assert reads.again(store) is None


def test_an_object_that_goes_and_comes_again_has_changed() -> None:
    store = a_store()
    reading = ReadingStore(store)
    get(reading)
    reads = reading.reads()
    discard("a")(store)
    put("a", team="x")(store)
    assert reads.again(store) is None


def test_of_many_objects_the_kind_is_watched() -> None:
    store = ObjectStore(config_map(f"m{number}", team="x") for number in range(40))
    reading = ReadingStore(store)
    where(reading)
    put("other", team="y")(store)
    assert reading.reads().again(store) is None


def test_an_object_that_comes_again_as_it_is_changes_nothing() -> None:
    store = a_store()
    held, before = get(store), store.changes
    put("a", team="x")(store)
    assert get(store) is held
    assert store.changes == before
    put("a", team=True)(store)
    put("a", team=1)(store)
    assert store.get(*MAPS, "n", "a") == config_map("a", team=1)
    assert store.changes == before + 2
