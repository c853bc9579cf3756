"""The document of a snapshot: each mistake with its place, and the header."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.document import API_VERSION, json_schema, mistakes, read_header
from weighbridge.policies.facts.store import OverlaidStore, ReducedStore
from weighbridge.policies.ground.objects import JSONObject, Path, name_of

KIND = "must be a kind with its group, such as DeviceClass.resource.k8s.io, or Node"
FIELDS = "apiVersion, kind, server, takenAt, cluster, complete, notKnown, redacted, formerNodes, pods, items"
OF_BLANKS = "kind, namespace, name, fields"
MAPS = ("", "ConfigMap")


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ({}, []),
        ({"server": "v1.36.0", "takenAt": "x", "cluster": "1", "kind": "Snapshot"}, []),
        ({"complete": [], "notKnown": [], "redacted": [], "formerNodes": [], "items": []}, []),
        *(({key: 1}, [((key,), "must be a text")]) for key in ("kind", "server", "takenAt", "cluster")),
        ({"complete": "Node"}, [(("complete",), "must be a list of kinds")]),
        ({"complete": {}}, [(("complete",), "must be a list of kinds")]),
        ({"complete": ["Node", "", ".x", 3, "A.b.c"]}, [(("complete", index), KIND) for index in (1, 2, 3)]),
        ({"notKnown": {}}, [(("notKnown",), "must be a list of maps with kind and reason")]),
        ({"notKnown": ["Node", {"kind": "Node"}]}, [(("notKnown", 0), "must be a map with kind and reason")]),
        ({"notKnown": [{}, {"kind": ""}]}, [(("notKnown", 0), KIND), (("notKnown", 1, "kind"), KIND)]),
        ({"notKnown": [{"kind": "Node", "reason": 1}]}, [(("notKnown", 0, "reason"), "must be a text")]),
        (
            {"notKnown": [{"kind": "A", "reason": "r", "why": "x", "Kind": "y"}]},
            [(("notKnown", 0, key), "unknown key; the keys here are kind, reason") for key in ("why", "Kind")],
        ),
        ({"redacted": "x"}, [(("redacted",), "must be a list of maps with kind, namespace, name and fields")]),
        ({"redacted": [1]}, [(("redacted", 0), "must be a map with kind, namespace, name and fields")]),
        ({"redacted": [{"kind": "A", "namespace": "n", "name": "x", "fields": ["a"]}]}, []),
        ({"redacted": [{}, {"kind": 1}]}, [(("redacted", 0), KIND), (("redacted", 1, "kind"), KIND)]),
        (
            {"redacted": [{"kind": "A", "namespace": 1, "name": 2, "fields": "x", "other": 3}]},
            [
                (("redacted", 0, "namespace"), "must be a text"),
                (("redacted", 0, "name"), "must be a text"),
                (("redacted", 0, "fields"), "must be a list of fields, such as spec.env[0].value"),
                (("redacted", 0, "other"), f"unknown key; the keys here are {OF_BLANKS}"),
            ],
        ),
        (
            {"redacted": [{"kind": "A", "fields": ["a", 1]}]},
            [(("redacted", 0, "fields"), "must be a list of fields, such as spec.env[0].value")],
        ),
        *(({key: {}}, [((key,), "must be a list of objects")]) for key in ("items", "formerNodes")),
        *(
            ({key: [{}, 1, []]}, [((key, index), "must be an object with apiVersion, kind and metadata") for index in (1, 2)])
            for key in ("items", "formerNodes")
        ),
        ({"item": [], "zzz": 1}, [(("item",), "unknown key; did you mean items?"), (("zzz",), f"unknown key; the keys here are {FIELDS}")]),
    ],
)
def test_each_mistake_is_told_at_its_place(parts: dict[str, Any], found: list[tuple[Path, str]]) -> None:
    assert [*mistakes({"apiVersion": API_VERSION, **parts})] == found


def test_of_another_version_only_that_is_told() -> None:
    assert [*mistakes({"apiVersion": "v2", "zzz": 1})] == [(("apiVersion",), f"this version reads {API_VERSION}, not 'v2'")]
    assert [*mistakes({})] == [(("apiVersion",), f"this version reads {API_VERSION}, not None")]


def test_the_schema_has_the_fields_that_may_stand_there() -> None:
    schema = json_schema()
    assert ", ".join(schema["properties"]) == FIELDS
    assert [*schema["properties"]["notKnown"]["items"]["properties"]] == ["kind", "reason"]
    assert ", ".join(schema["properties"]["redacted"]["items"]["properties"]) == OF_BLANKS
    assert schema["required"] == ["apiVersion", "kind"]
    for inner in (schema["properties"]["notKnown"]["items"], schema["properties"]["redacted"]["items"]):
        assert (inner["required"], inner["additionalProperties"]) == (["kind"], False)
    assert schema["additionalProperties"] is False


def test_a_header_is_read_whole_or_empty() -> None:
    empty = read_header({"apiVersion": API_VERSION})
    assert (empty.server, empty.taken_at, empty.cluster, empty.complete, empty.former_nodes) == ("", "", "", (), ())
    assert (dict(empty.not_known), empty.redacted) == ({}, None)
    document: JSONObject = {
        "server": "v1.36.0",
        "takenAt": "2026-01-01T00:00:00Z",
        "cluster": "1",
        "complete": ["Node", "DeviceClass.resource.k8s.io"],
        "notKnown": [{"kind": "Pod", "reason": "forbidden"}, {"kind": "A.b"}],
        "redacted": [{"kind": "A.b.c", "namespace": "n", "name": "x", "fields": ["spec.a"]}, {"kind": "Node"}],
        "formerNodes": [{"metadata": {"name": "n"}}],
    }
    read = read_header(document)
    assert (read.server, read.taken_at, read.cluster) == ("v1.36.0", "2026-01-01T00:00:00Z", "1")
    assert read.complete == (("", "Node"), ("resource.k8s.io", "DeviceClass"))
    assert dict(read.not_known) == {("", "Pod"): "forbidden", ("b", "A"): ""}
    assert read.former_nodes == ({"metadata": {"name": "n"}},)
    assert read.redacted is not None
    blanks = [(each.kind, each.namespace, each.name, each.fields) for each in read.redacted]
    assert blanks == [(("b.c", "A"), "n", "x", ("spec.a",)), (("", "Node"), "", "", ())]
    assert read_header({"redacted": []}).redacted == ()


def config_map(name: str, namespace: str = "n", **data: str) -> JSONObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data}


def names(objects: Any) -> list[str]:
    return [name_of(each) for each in objects]


def test_objects_that_are_taken_away_are_not_seen_any_more() -> None:
    under = ObjectStore([config_map("a"), config_map("a", "m"), config_map("b")])
    reduced = ReducedStore(under, [config_map("a", x="1"), config_map("z")])
    assert names(reduced.list(*MAPS)) == ["a", "b"]
    assert (names(reduced.list(*MAPS, "n")), names(reduced.list(*MAPS, "m")), names(reduced.list("", "ConfigMap/a"))) == (
        ["b"],
        ["a"],
        ["a"],
    )
    assert (reduced.get(*MAPS, "n", "a"), reduced.get(*MAPS, "m", "a")) == (None, config_map("a", "m"))
    assert [each["metadata"]["namespace"] for each in reduced.where(*MAPS, name_of, "a")] == ["m"]
    assert [*reduced.read(*MAPS, name_of)] == ["a", "b"]
    assert (reduced.knows_all(*MAPS), reduced.beneath([MAPS]), reduced.beneath([("", "Secret")])) == (False, reduced, under)
    under.complete()
    assert reduced.knows_all(*MAPS)
    assert names(under.list(*MAPS)) == ["a", "a", "b"]


def test_objects_that_lie_over_others_are_seen_in_their_namespaces() -> None:
    under = ObjectStore([config_map("a"), config_map("b", "m"), config_map("c")])
    over = OverlaidStore(under, [config_map("b"), config_map("c", x="1")])
    assert (names(over.list(*MAPS, "n")), names(over.list(*MAPS, "m"))) == (["b", "c", "a"], ["b"])
    assert names(over.where(*MAPS, name_of, "b")) == ["b", "b"]
    assert [*over.where("", "Secret", name_of, "b")] == []
    assert (len(under), len(over), over.get(*MAPS, "x", "a")) == (3, 2, None)


def test_an_object_without_name_or_kind_is_passed_over() -> None:
    odd: list[JSONObject] = [{"kind": "ConfigMap"}, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}}, {"metadata": {"name": "a"}}]
    assert len(ObjectStore(odd)) == 0
    store = ObjectStore([config_map("a")])
    store.complete(besides=[("", "Secret")], but=[MAPS])
    assert (store.knows_all("", "Secret"), store.knows_all(*MAPS), store.knows_all("", "ConfigMap/a")) == (True, False, False)
    store.discard(*MAPS, "n", "gone")
    store.discard(*MAPS, "n", "a")
    assert [*store.list(*MAPS)] == []
