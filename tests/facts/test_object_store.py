"""The store of a cluster's objects: parts of a kind by name, and objects that are put over those of a cluster."""

from __future__ import annotations

from itertools import count
from operator import itemgetter

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.store import OverlaidStore, ReducedStore
from weighbridge.policies.ground.objects import JSONObject, name_of

MAPS = ("", "ConfigMap")
NAMED = ("", "ConfigMap/a")
KEYS = itemgetter(1)


def config_map(name: str, namespace: str = "n", **data: str) -> JSONObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data}


def names(store: ObjectStore, *kind: str) -> list[str]:
    return [name_of(obj) for obj in store.list(*kind)]


def test_of_a_part_of_a_kind_all_may_be_known_and_of_the_kind_not() -> None:
    store = ObjectStore([config_map("b")])
    store.replace(*NAMED, [config_map("a"), config_map("a", "m")])
    assert (store.knows_all(*NAMED), store.knows_all(*MAPS)) == (True, False)
    assert names(store, *NAMED) == ["a", "a"]
    assert sorted(names(store, *MAPS)) == ["a", "a", "b"]
    store.replace(*NAMED, [])
    assert (names(store, *NAMED), names(store, *MAPS), store.knows_all(*NAMED)) == ([], ["b"], True)
    store.forget(*NAMED)
    assert not store.knows_all(*NAMED)
    store.replace(*MAPS, [config_map("a")])
    assert store.knows_all(*NAMED)


def test_a_part_of_a_kind_is_read_once_until_it_changes() -> None:
    read: list[str] = []

    def reader(obj: JSONObject) -> str:
        read.append(name_of(obj))
        return str(obj["data"])

    store = ObjectStore([config_map("a", x="1"), config_map("b")])
    assert store.read(*NAMED, reader) == store.read(*NAMED, reader) == ["{'x': '1'}"]
    store.put(config_map("a", x="2"))
    assert store.read(*NAMED, reader) == ["{'x': '2'}"]
    assert read == ["a", "a"]


def test_objects_put_over_a_store_are_seen_in_place_of_its_own() -> None:
    under = ObjectStore([config_map("a", x="under"), config_map("b")])
    under.complete()
    over = OverlaidStore(under, [config_map("a", x="over"), config_map("c")])
    assert over.get(*MAPS, "n", "a") == config_map("a", x="over")
    assert over.get(*MAPS, "n", "b") == config_map("b")
    assert names(over, *MAPS) == ["a", "c", "b"]
    assert [obj["data"] for obj in over.where(*MAPS, name_of, "a")] == [{"x": "over"}]
    assert over.read(*MAPS, name_of) == ["a", "c", "b"]
    assert (names(over, *NAMED), over.read(*NAMED, name_of)) == (["a"], ["a"])
    assert over.knows_all(*MAPS)
    assert under.get(*MAPS, "n", "a") == config_map("a", x="under")
    assert (over.beneath([("apps", "ConfigMap")]), over.beneath([("", "Secret"), MAPS])) == (under, over)
    assert under.beneath([MAPS]) is under


def test_readings_are_found_by_each_of_their_keys() -> None:
    under = ObjectStore([config_map("a", x="1"), config_map("b", x="1", y="1"), config_map("c")])
    assert sharing(under, "x") == ["a", "b"]
    assert sharing(under, "y") == ["b"]
    assert sharing(under, "z") == []
    over = OverlaidStore(under, [config_map("b", z="1")])
    assert (sharing(over, "x"), sharing(over, "y"), sharing(over, "z")) == (["a"], [], ["b"])
    assert sharing(ReducedStore(under, [config_map("a")]), "x") == ["b"]
    elsewhere = OverlaidStore(under, [{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}}])
    assert sharing(elsewhere, "x") == ["a", "b"]


def test_two_readers_with_the_same_keys_have_an_index_each() -> None:
    store = ObjectStore([config_map("a", x="1")])
    assert sharing(store, "x") == ["a"]

    def reader(obj: JSONObject) -> tuple[str, frozenset[str]]:
        return f"read anew: {name_of(obj)}", frozenset({"x"})

    assert [name for name, _ in store.read_where(*MAPS, reader, KEYS, "x")] == ["read anew: a"]


def test_the_index_of_readings_follows_every_change() -> None:
    store = ObjectStore([config_map("a", x="1")])
    assert sharing(store, "x") == ["a"]
    store.put(config_map("b", x="1"))
    assert sharing(store, "x") == ["a", "b"]
    store.put(config_map("a", y="1"))
    assert (sharing(store, "x"), sharing(store, "y")) == (["b"], ["a"])
    store.discard(*MAPS, "n", "b")
    assert sharing(store, "x") == []
    store.replace(*MAPS, [config_map("c", x="1")])
    assert (sharing(store, "x"), sharing(store, "y")) == (["c"], [])
    store.forget(*MAPS)
    assert sharing(store, "x") == []


def test_an_object_is_read_once_whatever_lies_over_its_store() -> None:
    read: list[str] = []

    def reader(obj: JSONObject) -> str:
        read.append(name_of(obj))
        return name_of(obj)

    under = ObjectStore([config_map("a"), config_map("b")])
    for _ in range(2):
        assert OverlaidStore(under, [config_map("b")]).read(*MAPS, reader) == ["b", "a"]
        assert ReducedStore(under, [config_map("b")]).read(*MAPS, reader) == ["a"]
    assert sorted(read) == ["a", "b", "b", "b"]


def test_what_is_worked_out_of_a_part_of_a_kind_is_worked_out_again_after_a_change() -> None:
    under = ObjectStore([config_map("a", x="1"), config_map("b")])

    def data(store: ObjectStore) -> list[object]:
        return store.once((NAMED,), data, lambda: [obj["data"] for obj in store.list(*NAMED)])

    assert data(under) is data(under)
    assert data(under) == [{"x": "1"}]
    under.put(config_map("a", x="2"))
    assert data(under) == [{"x": "2"}]
    over = OverlaidStore(under, [config_map("a", x="3")])
    assert (data(over), data(under)) == ([{"x": "3"}], [{"x": "2"}])
    assert data(ReducedStore(under, [config_map("a")])) == []
    assert data(OverlaidStore(under, [])) is data(under)
    under.discard(*MAPS, "n", "a")
    assert data(under) == []
    under.replace(*NAMED, [config_map("a", x="4")])
    assert data(under) == [{"x": "4"}]
    under.forget(*NAMED)
    assert data(under) == []


def test_what_is_worked_out_by_other_things_is_let_go() -> None:
    store, counter = ObjectStore(), count(1)

    def ask(*by: object) -> int:
        return store.once((MAPS,), ask, lambda: next(counter), by=by)

    one, two = object(), object()
    assert [ask(one), ask(one), ask(two), ask(two), ask(), ask(one, two), ask(one, two)] == [1, 1, 2, 2, 3, 4, 4]


def sharing(store: ObjectStore, key: str) -> list[str]:
    """The names of the ConfigMaps with a key."""
    return [name for name, _ in store.read_where(*MAPS, _name_and_keys, KEYS, key)]


def _name_and_keys(obj: JSONObject) -> tuple[str, frozenset[str]]:
    return name_of(obj), frozenset(obj.get("data") or ())


def test_an_object_that_nests_deep_may_come_again() -> None:
    """An API server stores objects that nest deeper than Python compares."""

    def deep() -> JSONObject:
        inner: JSONObject = {}
        for _ in range(3_000):
            inner = {"x": inner}
        return {**config_map("a"), "deep": inner}

    store = ObjectStore([deep()])
    store.put(deep())
    assert names(store, *MAPS) == ["a"]
    store.put(config_map("a"))
    assert "deep" not in next(store.list(*MAPS))
