"""The annotation that records what was filled into an object is kept current, and removed once it records nothing."""

from __future__ import annotations

import json

from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.record import KEY
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.annotation import annotate

ROOM = 1000
FIELDS = frozenset({("spec", "image"), ("spec", "port"), ("spec", "class")})
IMAGE: JSONObject = {"field": "spec.image", "value": "i:1", "source": "table"}


def an_object(*told: JSONObject, **spec: str) -> JSONObject:
    return {"metadata": {"annotations": {KEY: json.dumps(list(told)), "own": "kept"}}, "spec": spec}


def test_what_was_filled_in_before_is_told_as_long_as_it_stands() -> None:
    mutation = Mutation(an_object(IMAGE, {**IMAGE, "field": "spec.port", "value": "80"}, image="i:1", port="8080"))
    mutation.fill(("spec", "class"), "c", source="vendor", reason="r")
    annotate(mutation, FIELDS, ROOM, is_asked_for=True)
    told = json.loads(mutation.object["metadata"]["annotations"][KEY])
    assert told == [IMAGE, {"field": "spec.class", "value": "c", "source": "vendor"}]


def test_a_stale_annotation_is_removed() -> None:
    mutation = Mutation(an_object(IMAGE, image="i:1"))
    mutation.remove(("spec", "image"), source="vendor", reason="it followed another Model")
    annotate(mutation, FIELDS, ROOM, is_asked_for=True)
    assert mutation.object["metadata"]["annotations"] == {"own": "kept"}
    assert mutation.patch[-1] == {"op": "remove", "path": "/metadata/annotations/weighbridge.dev~1filled-in"}


def test_with_a_stale_annotation_that_stands_alone_all_annotations_go() -> None:
    mutation = Mutation({"metadata": {"annotations": {KEY: json.dumps([IMAGE])}}, "spec": {"image": "i:2"}})
    annotate(mutation, FIELDS, ROOM, is_asked_for=True)
    assert mutation.object["metadata"] == {}
    assert mutation.patch == [{"op": "remove", "path": "/metadata/annotations"}]


def test_what_has_no_room_at_all_takes_the_annotation_away() -> None:
    mutation = Mutation(an_object(IMAGE, image="i:1"))
    mutation.fill(("spec", "class"), "c" * ROOM, source="vendor", reason="r")
    annotate(mutation, FIELDS, 10, is_asked_for=True)
    assert mutation.object["metadata"]["annotations"] == {"own": "kept"}


def test_the_record_of_a_value_that_somebody_changed_is_removed() -> None:
    mutation = Mutation(an_object(IMAGE, image="i:2"))
    annotate(mutation, FIELDS, ROOM, is_asked_for=True)
    assert mutation.object["metadata"]["annotations"] == {"own": "kept"}
