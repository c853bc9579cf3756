"""The record of filled-in values, and how it shows the author of a value."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import jsonpatch
import pytest

from tests.doors.cases import CASES, Case
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.record import KEY, PATH, Recorded, has_record, read_record, record_text, standing
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, Operation, lookup
from weighbridge.policies.schema.object_meta import MAX_ANNOTATION_BYTES, annotation_bytes
from weighbridge.policies.verdict.engine import Phase, decide

IMAGE = ("spec", "image")
LIST = ("spec", "tolerations")
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def entry(operation: str, *fields: str, annotations: tuple[str, ...] = ()) -> JSONObject:
    """An entry of managedFields that names some fields of the spec, and some annotations."""
    named: JSONObject = {"f:spec": {f"f:{name}": {} for name in fields}}
    if annotations:
        named["f:metadata"] = {"f:annotations": {f"f:{name}": {} for name in annotations}}
    return {"manager": "m", "operation": operation, "fieldsV1": named}


def obj(*managed: JSONObject, record: JSONObject | None = None, applied: JSONObject | None = None, **spec: Any) -> JSONObject:
    """An object from a server; `record` has the values that it records as filled in, `applied` is the spec of the manifest that kubectl
    kept.
    """
    told = [{"field": f"spec.{name}", "value": value, "source": "s"} for name, value in (record or {}).items()]
    annotations = {KEY: json.dumps(told)} if record is not None else {}
    if applied is not None:
        annotations[LAST_APPLIED] = json.dumps({"spec": applied})
    return {"metadata": {"annotations": annotations, "managedFields": list(managed)}, "spec": spec}


FLUX = entry("Apply", "modelRef")


@pytest.mark.parametrize(
    ("found", "is_filled"),
    [
        (obj(FLUX, record={"image": "a"}, image="a"), True),
        (obj(FLUX, record={"image": "a"}, image="b"), False),
        (obj(FLUX, image="a"), False),
        (obj(FLUX, record={"image": "a"}, applied={"image": "a"}, image="a"), False),
        (obj(entry("Apply", "image"), record={"image": "a"}, image="a"), False),
        (obj(record={"image": "a"}, image="a"), True),
        # A user applied a manifest with the record in it.
        (obj(entry("Apply", "modelRef", annotations=(KEY,)), record={"image": "a"}, image="a"), False),
        # A client sent a copy of the object.
        (obj(entry("Update", "image", annotations=(KEY,)), record={"image": "a"}, image="a"), True),
    ],
)
def test_a_value_is_ours_while_the_record_tells_of_it_and_no_manifest_does(found: JSONObject, is_filled: bool) -> None:
    assert Authorship.of_object(found).is_filled(found, IMAGE) is is_filled


@pytest.mark.parametrize(
    ("found", "is_written"),
    [
        (obj(image="a"), True),
        (obj(FLUX, image="a"), False),
        (obj(entry("Update", "image"), image="a"), True),
        (obj(entry("Update", "image"), applied={}, image="a"), True),
        # The entry of the request with which kubectl sent the manifest: it also names the CRD's defaults.
        (obj(entry("Update", "image", annotations=(LAST_APPLIED,)), applied={}, image="a"), False),
        (obj(entry("Update", "image", annotations=(LAST_APPLIED,)), applied={"image": "a"}, image="a"), True),
        (obj(applied={}, image="a"), False),
        ({"metadata": 1, "spec": {"image": "a"}}, True),
        ({"metadata": {"annotations": {LAST_APPLIED: "{"}, "managedFields": 2}, "spec": {"image": "a"}}, True),
    ],
)
def test_a_value_may_be_its_authors_unless_something_shows_that_it_is_not(found: JSONObject, is_written: bool) -> None:
    assert Authorship.of_object(found).is_written(IMAGE) is is_written


RECORDED = {"runtime": "vllm"}
SENT = entry("Update", "image")


@pytest.mark.parametrize(
    ("found", "stored", "is_new", "may_be"),
    [
        # The entry of a creation names the CRD's defaults like sent values.
        (obj(SENT, image="a"), None, True, False),
        (obj(SENT, applied={"image": "a"}, image="a"), None, True, False),
        (obj(entry("Apply", "image"), image="a"), None, True, False),
        (obj(image="a"), None, True, False),
        # So does a PUT of a manifest, which no longer has our record. In a PUT of the stored object the client changed the value.
        (obj(SENT, image="a"), obj(record=RECORDED, image="b"), False, True),
        (obj(SENT, record=RECORDED, image="a"), obj(record=RECORDED, image="b"), False, False),
        (obj(SENT, applied={"image": "a"}, image="a"), obj(record=RECORDED, image="b"), False, False),
        (obj(SENT, image="a"), obj(image="b"), False, False),
        (obj(FLUX, image="a"), obj(image="b"), False, True),
        # The entries of an object with a history show changes.
        (obj(FLUX, SENT, image="a"), None, True, False),
    ],
)
def test_a_value_may_be_the_default_unless_somebody_wrote_it(
    found: JSONObject, stored: JSONObject | None, is_new: bool, may_be: bool
) -> None:
    assert Authorship.of_object(found, stored, is_new=is_new).may_be_default(IMAGE) is may_be


def test_a_default_that_would_be_refused_is_nobodys_in_a_creation() -> None:
    created = Authorship.of_object(obj(SENT, image="a"), is_new=True)
    assert created.may_be_default(IMAGE, is_refused=True)
    assert not Authorship.of_object(obj(SENT, image="a")).may_be_default(IMAGE, is_refused=True)
    assert not Authorship.of_object(obj(SENT, applied={"image": "a"}, image="a"), is_new=True).may_be_default(IMAGE, is_refused=True)
    assert not Authorship.of_object(obj(image="a"), is_new=True).may_be_default(IMAGE, is_refused=True)


def test_a_manifest_tells_all_that_its_author_wrote() -> None:
    manifest = {"metadata": {"name": "a"}, "spec": {"image": "a", "runtime": None}}
    authorship = Authorship.of_manifest(manifest)
    assert authorship.is_written(IMAGE)
    assert not authorship.is_written(("spec", "runtime"))
    # Output of `kubectl get` isn't a manifest of an author.
    printed = obj(FLUX, record={"image": "a"}, image="a")
    assert Authorship.of_manifest(printed).is_filled(printed, IMAGE)


def test_a_list_that_somebody_has_changed_is_theirs() -> None:
    record = {"tolerations[0]": {"key": "a"}}
    ours = obj(FLUX, record=record, tolerations=[{"key": "a"}, {"key": "b"}])
    authorship = Authorship.of_object(ours)
    assert not authorship.is_written(LIST)
    assert authorship.filled_items(ours, LIST) == [{"key": "a"}]
    assert [told.path for told in authorship.kept(ours, frozenset({LIST}))] == [(*LIST, 0)]
    changed = obj(FLUX, entry("Update", "tolerations"), record=record, tolerations=[{"key": "a"}, {"key": "b"}])
    authorship = Authorship.of_object(changed)
    assert authorship.is_written(LIST)
    assert authorship.kept(changed, frozenset({LIST})) == []


def test_on_an_update_a_record_that_was_sent_does_not_count_and_our_own_does() -> None:
    stored = obj(FLUX, record={"image": "a"}, image="a")
    forged = obj(FLUX, entry("Update", annotations=(KEY,)), record={"runtime": "vllm"}, image="a", runtime="vllm")
    authorship = Authorship.of_object(forged, stored)
    assert (authorship.is_filled(forged, IMAGE), authorship.is_filled(forged, ("spec", "runtime"))) == (True, False)
    # The webhook is called again in the same update, after it has written the record.
    ours = obj(FLUX, record={"image": "b"}, image="b")
    assert Authorship.of_object(ours, stored).is_filled(ours, IMAGE)
    # Removing the annotation doesn't remove the record.
    without = obj(FLUX, image="a")
    assert Authorship.of_object(without, stored).is_filled(without, IMAGE)


ODD = ["", "{", "1", "[1]", '[{"field": 1}]', '[{"field": "", "value": 1}]', '[{"field": "a[99999999]", "value": 1}]', "[" * 9999, None, 3]


@pytest.mark.parametrize("text", ODD)
def test_no_text_makes_reading_the_record_fail(text: Any) -> None:
    found: JSONObject = {"metadata": {"annotations": {KEY: text}}, "spec": {}}
    assert standing(read_record(found), found) == []


def test_what_is_written_is_read_back_as_far_as_there_is_room() -> None:
    told = [Recorded(IMAGE, "a", "s"), Recorded((*LIST, 0), {"key": "ü"}, "t")]
    text = record_text(told, 4096)
    assert list(read_record({"metadata": {"annotations": {KEY: text}}})) == told
    short = record_text(told, 70)
    assert len(short.encode()) <= 70
    assert list(read_record({"metadata": {"annotations": {KEY: short}}})) == told[:1]
    assert json.loads(short)[-1] == {"more": 1}
    assert record_text(told, 10) == ""


def mutated(case: Case, found: JSONObject) -> Decision:
    """The mutating webhook's answer to an update that doesn't change the object."""
    request = replace(case.request(), operation=Operation.UPDATE, object=copy.deepcopy(found), old_object=copy.deepcopy(found))
    return decide(request, case.facts(), case.configuration(), Phase.MUTATE)


FILLED = [case for case in CASES if case.old is None and case.expect["allowed"] and case.expect.get("patch")]


@pytest.mark.parametrize("case", FILLED, ids=lambda case: case.id)
def test_what_is_filled_in_is_recorded_and_an_update_of_nothing_changes_nothing(case: Case) -> None:
    decision = decide(case.request(), case.facts(), case.configuration())
    entries = standing(read_record(decision.object), decision.object)
    written = (entry for entry in decision.provenance if entry.path[0] == "spec" and not entry.source.endswith("webhook"))
    filled = {entry.path for entry in written if entry.source != "CRD"}
    assert {told.path for told in entries} == filled
    assert mutated(case, decision.object).patch == ()


@pytest.mark.parametrize("spare", [0, 10, 60, 4096])
def test_a_record_never_makes_the_annotations_too_large(spare: int) -> None:
    case = next(case for case in FILLED if case.folder.name == "fills-the-cuda-accelerator")
    found = copy.deepcopy(case.object)
    found["metadata"]["annotations"] = {"pad": "x" * (MAX_ANNOTATION_BYTES - len("pad") - spare)}
    decision = decide(replace(case.request(), object=found), case.facts(), case.configuration())
    assert decision.allowed
    assert has_record(decision.object) == (spare == 4096)


def test_a_record_that_just_fits_stays_on_an_update() -> None:
    case = next(case for case in FILLED if case.folder.name == "fills-the-cuda-accelerator")
    stored = decide(case.request(), case.facts(), case.configuration()).object
    annotations = stored["metadata"]["annotations"]
    annotations["pad"] = "x" * (MAX_ANNOTATION_BYTES - annotation_bytes(annotations) - len("pad"))
    assert mutated(case, stored).patch == ()
    annotations["pad"] += "x"
    assert mutated(case, stored).patch != ()


@pytest.mark.parametrize("text", ['[{"field":"spec.replicas","value":1,"source":"x"}]', "{"])
def test_a_forged_record_is_taken_away_again(text: str) -> None:
    case = next(case for case in CASES if case.folder.name == "ignores-a-forged-record")
    found = copy.deepcopy(case.object)
    found["metadata"]["annotations"][KEY] = text
    request = replace(case.request(), object=copy.deepcopy(found))
    decision = decide(request, case.facts(), case.configuration(), Phase.MUTATE)
    assert not has_record(jsonpatch.apply_patch(found, list(decision.patch)))


def test_the_record_of_a_value_that_was_changed_goes() -> None:
    case = next(case for case in CASES if case.folder.name == "leaves-an-image-alone-that-was-changed-since")
    decision = decide(case.request(), case.facts(), case.configuration())
    assert lookup(decision.object, PATH) is None
    assert lookup(decision.object, IMAGE) == case.object["spec"]["image"]


def test_without_a_record_nothing_is_recorded_unless_it_is_asked_for() -> None:
    case = next(case for case in FILLED if case.folder.name == "fills-the-cuda-accelerator")
    config = replace(case.configuration(), annotations=replace(case.configuration().annotations, objects=False))
    decision = decide(case.request(), case.facts(), config)
    assert decision.patch
    assert not has_record(decision.object)
