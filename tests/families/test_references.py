"""References: whether their object exists, and the name that may be meant."""

from __future__ import annotations

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.references import CLAIMS, NAMESPACES, Referent
from weighbridge.policies.ground.objects import JSONObject, is_stored
from weighbridge.policies.ground.spelling import similar

PADS = Referent("scratch.example.com", "Pad")


def pad(name: str, **metadata: str) -> JSONObject:
    return {"apiVersion": "scratch.example.com/v1", "kind": "Pad", "metadata": {"name": name, "namespace": "n", **metadata}}


def cluster(*objects: JSONObject, known: bool = True) -> Facts:
    """A cluster with these objects; whether all of its pads are known is a parameter."""
    facts = from_objects(objects, Definitions())
    pads = [("scratch.example.com", "Pad")]
    facts.objects.complete(besides=pads if known else (), but=() if known else pads)
    return facts


@pytest.mark.parametrize(
    ("facts", "name", "missing"),
    [(cluster(pad("a")), "a", False), (cluster(pad("a")), "b", True), (cluster(pad("a"), known=False), "b", None), (cluster(), "", True)],
    ids=["there", "not-there", "not-known", "no-name"],
)
def test_an_object_is_missing_only_where_all_of_its_kind_are_known(facts: Facts, name: str, missing: bool | None) -> None:
    assert PADS.is_missing(facts, "n", name) is missing


def test_the_nearest_name_is_told_else_the_first_few() -> None:
    facts = cluster(*map(pad, ("delta", "alpha", "beta", "gamma")))
    assert PADS.nearest(facts, "n", "alpah") == "alpha"
    assert PADS.nearest(facts, "n", "xyz") == "alpha, beta, delta"
    assert PADS.nearest(facts, "n", "xyz", otherwise=0) == ""
    assert PADS.nearest(facts, "elsewhere", "alpha") == ""


def test_what_is_not_known_is_told_in_the_plural() -> None:
    assert PADS.unknown == "not all Pads of the cluster are known"
    assert (CLAIMS.unknown, NAMESPACES.unknown) == (
        "not all PersistentVolumeClaims of the cluster are known",
        "not all namespaces of the cluster are known",
    )


def test_an_object_is_stored_once_a_server_has_written_when() -> None:
    assert (is_stored(pad("a")), is_stored(pad("a", uid="1")), is_stored(pad("a", creationTimestamp="t"))) == (False, True, True)


def test_similar_names_the_word_with_most_letters_in_common() -> None:
    assert (similar("mistrl", ["mistral", "llama"]), similar("x", ["b", "a"]), similar("x", ["b", "a"], otherwise=1)) == (
        "mistral",
        "",
        "a",
    )
