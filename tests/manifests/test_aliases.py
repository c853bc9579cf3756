"""How much of a document may be aliases: exactly as many nodes as kubectl's library allows."""

from __future__ import annotations

import pytest

from tests.manifests.reading import messages, value_of
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.manifests.anchors import Anchored, Expansion, allowed_share
from weighbridge.webhook.manifests.errors import MAX_DEPTH, UnreadableError

FIELDS = "a: &a {" + "".join(f"k{number}: 0, " for number in range(200)) + "}\nb:\n"


MERGED = "m:\n  <<: &l [{" + "".join(f"k{number}: 0, " for number in range(59)) + "}]\nb:\n"
LATER = f"z: &z [{'x, ' * 50}]\nq: [{'*z, ' * 10}]\nw: &w [{'x, ' * 200}]\nb:\n"


def _items(count: int) -> str:
    return "a: &a [" + "x, " * count + "]\nb:\n"


@pytest.mark.parametrize(
    ("head", "item", "fewest"),
    [
        (_items(200), "- *a\n", 200),
        (_items(150), "- *a\n", 298),
        (_items(300), "- *a\n", 150),
        (FIELDS, "- *a\n", 134),
        (FIELDS, "- <<: *a\n", 199),
        (FIELDS, "- <<: [*a, *a]\n", 80),
        (MERGED, "- *l\n", 590),
        (LATER, "- *w\n", 258),
    ],
    ids=["lists", "short lists", "long lists", "maps", "merges", "merged lists", "a list that was merged", "behind other aliases"],
)
def test_aliases_are_too_many_from_the_one_at_which_kubectl_stops(head: str, item: str, fewest: int) -> None:
    assert not [text for text in messages(head + item * (fewest - 1)) if "excessive" in text]
    (message,) = [text for text in messages(head + item * fewest) if text.startswith("error")]
    assert message.startswith(f"error x.yaml:{head.count(chr(10)) + fewest}:")
    assert message.endswith(": document contains excessive aliasing")


def test_fields_beside_the_aliases_count_as_text() -> None:
    assert messages(FIELDS + "- c: *a\n  d: 1\n" * 400) == []


@pytest.mark.parametrize(
    ("nodes", "share"),
    [
        (1, 0.99),
        (400_000, 0.99),
        (1_300_000, 0.7675),
        (2_200_000, 0.545),
        (3_100_000, 0.3225),
        (4_000_000, 0.10),
        (40_000_000, 0.10),
    ],
)
def test_the_share_of_aliases_falls_as_the_document_grows(nodes: int, share: float) -> None:
    assert allowed_share(nodes) == pytest.approx(share, abs=1e-12)
    assert share not in {0.99, 0.10} or allowed_share(nodes) == share


@pytest.mark.parametrize(
    ("anchored", "nodes", "is_refused"),
    [(999, 1, False), (1000, 1, True), (1980, 20, False), (1981, 20, True), (396_000, 4_000, False), (396_001, 4_000, True)],
)
def test_a_document_of_a_thousand_nodes_is_never_refused(anchored: int, nodes: int, is_refused: bool) -> None:
    try:
        Expansion().expand(Anchored({}, {}, anchored), nodes=nodes, depth=0)
    except UnreadableError:
        assert is_refused
    else:
        assert not is_refused


def test_every_alias_adds_to_the_account() -> None:
    account = Expansion()
    for _ in range(3):
        account.expand(Anchored("x", "x", 7), nodes=1, depth=0)
    assert account.extra == 21


@pytest.mark.parametrize(("value", "depth"), [("x", MAX_DEPTH), ([], MAX_DEPTH - 1), ([[]], MAX_DEPTH - 2), ({"a": [{}]}, MAX_DEPTH - 3)])
def test_a_copy_goes_as_deep_as_its_place_allows(value: JSONValue, depth: int) -> None:
    found = Expansion().expand(Anchored(value, value, 1), nodes=1, depth=depth)
    assert found == value
    assert found is not value or isinstance(value, str)


@pytest.mark.parametrize(
    ("value", "depth", "sign"),
    [([], MAX_DEPTH, "["), ({}, MAX_DEPTH, "{"), ([[]], MAX_DEPTH - 1, "["), ({"a": [{}]}, MAX_DEPTH - 2, "{")],
)
def test_a_copy_that_lies_too_deep_is_refused(value: JSONValue, depth: int, sign: str) -> None:
    with pytest.raises(UnreadableError, match=f"nested deeper than {MAX_DEPTH} levels") as raised:
        Expansion().expand(Anchored(value, value, 1), nodes=1, depth=depth)
    assert raised.value.kubectl.endswith(f"invalid character '{sign}' exceeded max depth")


def test_a_list_that_was_merged_can_be_used_again() -> None:
    assert value_of("a:\n  <<: &x []\nb: *x\n") == {"a": {}, "b": []}
    assert value_of("a:\n  <<: &x [{c: 1}]\nb: *x\n") == {"a": {"c": 1}, "b": [{"c": 1}]}


def test_aliases_within_an_anchor_count_each_time_that_it_is_used() -> None:
    padded = f"p: [{'x, ' * 50}]\na: &a [{'x, ' * 30}]\nb: &b [{'*a, ' * 10}]\nc:\n"
    assert messages(padded + "- *b\n" * 43) == []
    assert [text.partition(": ")[0] for text in messages(padded + "- *b\n" * 44)] == ["error x.yaml:48:3"]
    keyed = "k: &k v\n" + padded
    assert messages(keyed + "- {*k : *b}\n" * 391) == []
    assert [text.partition(": ")[0] for text in messages(keyed + "- {*k : *b}\n" * 392)] == ["error x.yaml:397:9"]
