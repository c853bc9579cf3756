"""The impact of a change, whole, as text and as JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.verdict.impact import Difference, Impact
from weighbridge.webhook.change_report.impact import FORMATS, ChangeImpact


def an_object(name: str, kind: str = "AIMService", namespace: str = "shop") -> JSONObject:
    return {"kind": kind, "metadata": {"name": name, **({"namespace": namespace} if namespace else {})}}


def differing(name: str, field: str = "spec.a", before: JSONValue = 1, after: JSONValue = 2, where: str = "") -> Impact:
    """An object with one value that differs, in the Deployment named after it unless `where` names another object."""
    return Impact(an_object(name), [Difference(where or f"Deployment/{name}-0", field, before, after)], was_made=True)


def failing(name: str, before: str, after: str, *, was_made: bool = True) -> Impact:
    return Impact(an_object(name), [], was_made=was_made, failure_before=before, failure_after=after)


FIVE = "AIMService shop/a, AIMService shop/b, AIMService shop/c, AIMService shop/d, AIMService shop/e"
SAME = Impact(an_object("same"), [], was_made=True)
NEVER = Impact(an_object("never"), differing("never").differences, was_made=True, never_runs=True, why_never="0/1 nodes are available")


def written(output: str, impacts: Sequence[Impact], changed: Sequence[JSONObject] = (), known: int = 9) -> str:
    """The output of a format."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    FORMATS[output](ChangeImpact(changed, impacts, known), stream)
    stream.flush()
    stream.seek(0)
    return stream.read()


@pytest.mark.parametrize(
    ("impacts", "lines"),
    [
        ([], ["0 of 9 other objects resolve differently, 0 break"]),
        ([SAME], ["0 of 9 other objects resolve differently, 0 break"]),
        (
            [differing("a")],
            ["1 of 9 other objects resolve differently, 0 break", "AIMService shop/a: resolves differently", "  Deployment spec.a: 1 -> 2"],
        ),
        (
            [differing("a"), differing("b"), differing("c", after=3), SAME],
            [
                "3 of 9 other objects resolve differently, 0 break",
                "AIMService shop/a, AIMService shop/b: resolves differently",
                "  Deployment spec.a: 1 -> 2",
                "AIMService shop/c: resolves differently",
                "  Deployment spec.a: 1 -> 3",
            ],
        ),
        (
            [differing(name) for name in "abcde"],
            [
                "5 of 9 other objects resolve differently, 0 break",
                f"{FIVE}: resolves differently",
                "  Deployment spec.a: 1 -> 2",
            ],
        ),
        (
            [differing(name) for name in "abcdefg"],
            [
                "7 of 9 other objects resolve differently, 0 break",
                f"{FIVE} and 2 more: resolves differently",
                "  Deployment spec.a: 1 -> 2",
            ],
        ),
        (
            [
                differing("a", "", None, {"kind": "Deployment"}),
                differing("b", "", {"kind": "Deployment"}, None, "Service/other"),
                differing("c", "spec.x", None, {"a": [1, "x"]}, "Pod"),
                differing("d", "spec.x", False, None),
            ],
            [
                "4 of 9 other objects resolve differently, 0 break",
                "AIMService shop/a: resolves differently",
                "  Deployment: made",
                "AIMService shop/b: resolves differently",
                "  Service/other: no longer made",
                "AIMService shop/c: resolves differently",
                '  Pod spec.x: none -> {"a":[1,"x"]}',
                "AIMService shop/d: resolves differently",
                "  Deployment spec.x: false -> none",
            ],
        ),
        (
            [differing("a"), failing("b", "", "no \x1b model"), NEVER, failing("c", "no model", "")],
            [
                "4 of 9 other objects resolve differently, 2 break, 1 mend",
                "AIMService shop/b: breaks",
                "  fails: no \\x1b model",
                "AIMService shop/never: breaks",
                "  no node of the cluster could run its pods: 0/1 nodes are available",
                "  Deployment spec.a: 1 -> 2",
                "AIMService shop/a: resolves differently",
                "  Deployment spec.a: 1 -> 2",
                "AIMService shop/c: mends",
                "  failed before: no model",
            ],
        ),
        (
            [failing("a", "no model", "no image"), failing("b", "", "no image", was_made=False), failing("c", "same", "same")],
            [
                "2 of 9 other objects resolve differently, 0 break",
                "AIMService shop/a: resolves differently",
                "  fails: no image",
                "  failed before: no model",
                "AIMService shop/b: resolves differently",
                "  fails: no image",
            ],
        ),
        (
            [
                Impact(an_object("a"), [], never_ran=True, never_runs=True),
                Impact(an_object("b"), differing("b").differences, was_made=True, never_ran=True, never_runs=True, why_never="0/1 nodes"),
                Impact(an_object("c"), [], unchecked="no nodes"),
                Impact(an_object("d"), [], unchecked="no models"),
                Impact(an_object("e"), [], unchecked="no nodes"),
            ],
            [
                "1 of 9 other objects resolve differently, 0 break",
                "AIMService shop/b: resolves differently",
                "  no node of the cluster could run its pods: 0/1 nodes",
                "  Deployment spec.a: 1 -> 2",
                "not fully checked: 2 objects: no nodes",
                "not fully checked: 1 object: no models",
            ],
        ),
    ],
)
def test_objects_that_differ_alike_are_told_together_and_the_broken_first(impacts: list[Impact], lines: list[str]) -> None:
    assert written("text", impacts).splitlines() == lines


def test_the_document_holds_each_object_and_the_counts() -> None:
    impacts = [differing("a"), NEVER, failing("c", "no model", ""), SAME, Impact(an_object("u"), [], unchecked="no nodes")]
    document = json.loads(written("json", impacts, [an_object("llama", "AIMModel"), an_object("all", "AIMClusterModel", "")]))
    assert [*document] == ["version", "changed", "own", "objects", "summary"]
    assert (document["version"], document["changed"]) == (1, ["AIMModel shop/llama", "AIMClusterModel all"])
    assert document["summary"] == {"known": 9, "differ": 3, "break": 1, "mend": 1, "notFullyChecked": 1}
    assert document["objects"] == [impact.as_json() for impact in impacts]
    nothing = {"kind": "AIMService", "namespace": "shop", "breaks": False, "mends": False, "neverRuns": False, "differences": []}
    no_failure = {"before": "", "after": ""}
    difference = {"object": "Deployment/never-0", "field": "spec.a", "before": 1, "after": 2}
    assert document["objects"][1] == {
        **nothing,
        "name": "never",
        "breaks": True,
        "neverRuns": True,
        "failure": no_failure,
        "differences": [difference],
    }
    assert document["objects"][2] == {**nothing, "name": "c", "mends": True, "failure": {"before": "no model", "after": ""}}
    assert document["objects"][4] == {**nothing, "name": "u", "failure": no_failure, "unchecked": "no nodes"}


def test_given_objects_come_first_and_count_as_broken() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    waiting = Impact(an_object("later"), [], was_made=True, why_later="1 node(s) were unschedulable")
    FORMATS["text"](ChangeImpact([], [waiting], 2, [failing("a", "", "no model")]), stream)
    stream.seek(0)
    assert stream.read().splitlines() == [
        "1 of 2 other objects resolve differently, 1 break",
        "given: AIMService shop/a: breaks",
        "  fails: no model",
        "AIMService shop/later: resolves differently",
        "  no node of the cluster can run its pods for now: 1 node(s) were unschedulable",
    ]
