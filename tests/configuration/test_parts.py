"""Parts of the configuration by themselves: tolerations, patterns, selectors, pins and mirrors, and the text of an expected node."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config.expected import entry_text
from weighbridge.policies.config.images import Images
from weighbridge.policies.config.selection import Kinds, LabelExpression, LabelSelector, Names, covers
from weighbridge.policies.config.tolerations import FilledToleration
from weighbridge.policies.ground.objects import GroupVersionKind, Path

NO_KEY = (("t", "key"), "without a key the operator must be Exists")
NO_VALUE = (("t", "value"), "with operator Exists there is no value")
NO_SECONDS = (("t", "tolerationSeconds"), "goes with effect NoExecute only")
HEX = "0123456789abcdef" * 4
PINNED = f"sha256:{HEX}"


@pytest.mark.parametrize(
    ("given", "mistakes"),
    [
        ({"key": "a"}, []),
        ({"key": "a", "operator": "Exists"}, []),
        ({"key": "a", "operator": "Equal", "value": "b"}, []),
        ({"key": "a", "value": "b"}, []),
        ({"operator": "Exists"}, []),
        ({}, [NO_KEY]),
        ({"operator": "Equal"}, [NO_KEY]),
        ({"key": "a", "operator": "Exists", "value": "b"}, [NO_VALUE]),
        ({"operator": "Exists", "value": "b"}, [NO_VALUE]),
        ({"key": "a", "toleration_seconds": 0, "effect": "NoExecute"}, []),
        ({"key": "a", "toleration_seconds": 0, "effect": "NoSchedule"}, [NO_SECONDS]),
        ({"key": "a", "toleration_seconds": 5}, [NO_SECONDS]),
        ({"value": "b", "operator": "Equal", "toleration_seconds": 1}, [NO_KEY, NO_SECONDS]),
    ],
)
def test_a_toleration_is_one_that_a_pod_can_have(given: dict[str, Any], mistakes: list[tuple[Path, str]]) -> None:
    assert [*FilledToleration(**given).mistakes(("t",))] == mistakes


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({"key": "a"}, {"key": "a"}),
        ({"operator": "Exists", "value": ""}, {"operator": "Exists"}),
        (
            {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "toleration_seconds": 0},
            {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 0},
        ),
    ],
)
def test_a_toleration_is_written_without_what_is_not_given(given: dict[str, Any], written: dict[str, Any]) -> None:
    assert FilledToleration(**given).as_json() == written


@pytest.mark.parametrize(
    ("pattern", "meant", "others"),
    [
        ("a", ["a"], ["", "b", "aa"]),
        ("*", ["", "a", "a*b"], []),
        ("team-*", ["team-", "team-a"], ["team", "a-team-"]),
        ("*-dev", ["-dev", "a-dev"], ["dev", "a-dev-"]),
        ("a*a", ["aa", "aba"], ["a", "ab", "ba"]),
        ("a*b*c", ["abc", "axbyc", "abbc"], ["ac", "acb", "ab", "cba"]),
        ("*b*b*", ["bb", "abab"], ["b", "ab", "aab"]),
        ("ab*bc", ["abbc", "abxbc"], ["abc"]),
        ("a**", ["a", "ab"], ["b"]),
        ("a*bc*cd", ["abccd", "axbcxcd"], ["abcd"]),
    ],
)
def test_a_star_stands_for_any_characters(pattern: str, meant: list[str], others: list[str]) -> None:
    assert [name for name in (*meant, *others) if covers(pattern, name)] == meant


def test_a_list_of_names_means_what_is_in_it_or_everything() -> None:
    names = Names(["a", "b-*"])
    assert [name for name in ("a", "b-", "b-c", "b", "b-*", "c") if names.mean(name)] == ["a", "b-", "b-c", "b-*"]
    assert [name for name in ("a", "b-", "b-*") if names.name(name)] == ["a"]
    assert (Names([]).mean("x"), Names([]).name("x"), Names(["a*"]).mean("b")) == (True, False, False)
    kinds = Kinds(["Model", "Thing.a.test"])
    gvks = [("b.test", "Model"), ("a.test", "Thing"), ("b.test", "Thing"), ("", "Models")]
    assert [kinds.mean(GroupVersionKind(group, "v1", kind)) for group, kind in gvks] == [True, True, False, False]
    assert Kinds([]).mean(GroupVersionKind("x", "v1", "Y"))


@pytest.mark.parametrize(
    ("operator", "values", "mistake", "selected"),
    [
        ("In", ["1", "2"], "", [{"a": "1"}]),
        ("NotIn", ["1", "2"], "", [{"a": "3"}, {}]),
        ("Exists", [], "", [{"a": "1"}, {"a": "3"}]),
        ("DoesNotExist", [], "", [{}]),
        ("In", [], "In needs values", []),
        ("NotIn", [], "NotIn needs values", None),
        ("Exists", ["1"], "Exists takes no values", None),
        ("DoesNotExist", ["1"], "DoesNotExist takes no values", None),
    ],
)
def test_a_label_selector_is_the_api_server_s(
    operator: Any, values: list[str], mistake: str, selected: list[dict[str, str]] | None
) -> None:
    expression = LabelExpression("a", operator, values)
    selector = LabelSelector(match_expressions=[LabelExpression("b", "DoesNotExist"), expression])
    assert [*selector.mistakes(("s",))] == ([(("s", "matchExpressions", 1, "values"), mistake)] if mistake else [])
    if selected is not None:
        assert [labels for labels in ({"a": "1"}, {"a": "3"}, {}, {"a": "1", "b": ""}) if selector.selects(labels)] == selected
    assert (expression.needs_label, selector.keys, selector.is_empty) == (operator in ("In", "Exists"), frozenset({"a", "b"}), False)


def test_a_selector_without_conditions_selects_everything() -> None:
    assert (LabelSelector().is_empty, LabelSelector().selects({}), LabelSelector().keys) == (True, True, frozenset())
    both = LabelSelector({"a": "1"}, [LabelExpression("b", "Exists")])
    assert [both.selects(labels) for labels in ({"a": "1", "b": ""}, {"a": "1"}, {"a": "2", "b": ""})] == [True, False, False]
    assert (LabelSelector({"a": "1"}).is_empty, LabelSelector({"a": "1"}).keys) == (False, frozenset({"a"}))


PINS = {"ghcr.io/org/name": "b1", "ghcr.io/org/name:b0": PINNED, "org/other": f"b2@{PINNED}"}
MIRRORS = {"ghcr.io": "m.test/ghcr", "ghcr.io/org": "m.test/org", "docker.io": "m.test"}


@pytest.mark.parametrize(
    ("image", "pinned", "mirrored"),
    [
        ("ghcr.io/org/name:x", "ghcr.io/org/name:b1", "m.test/org/name:x"),
        ("ghcr.io/org/name", "ghcr.io/org/name:b1", "m.test/org/name"),
        ("ghcr.io/org/name:b0", f"ghcr.io/org/name@{PINNED}", "m.test/org/name:b0"),
        ("ghcr.io/other/x:1", "ghcr.io/other/x:1", "m.test/ghcr/other/x:1"),
        ("ghcr.io.test/org/name:1", "ghcr.io.test/org/name:1", "ghcr.io.test/org/name:1"),
        ("ghcr.io/organ/x:1", "ghcr.io/organ/x:1", "m.test/ghcr/organ/x:1"),
        (f"quay.io/a/b@{PINNED}", f"quay.io/a/b@{PINNED}", f"quay.io/a/b@{PINNED}"),
        ("org/other:1", f"org/other:b2@{PINNED}", "m.test/org/other:1"),
    ],
)
def test_an_image_is_pinned_and_taken_from_its_mirror(image: str, pinned: str, mirrored: str) -> None:
    assert Images(pins=PINS).of(image) == pinned
    assert Images(mirrors=MIRRORS).of(image) == mirrored
    assert Images().of(image) == image


@pytest.mark.parametrize(
    ("pin", "is_pin"),
    [
        *((pin, True) for pin in ("b1", "_x", "1.2-rc.1", "a" * 128, PINNED, f"b1@{PINNED}", f"sha512+b64:{HEX}", f"sha256:{HEX[:32]}")),
        *(
            (pin, False)
            for pin in ("", ".b", "-b", "a" * 129, f"sha256:{HEX[:31]}", f"@{PINNED}", "b1@", "b 1", f"sha256:{HEX[:-1]}g", "b1\n")
        ),
    ],
)
def test_a_pin_is_a_tag_or_a_digest_or_both(pin: str, is_pin: bool) -> None:
    told = f"{pin!r} is neither a tag nor a digest; write one such as b6000, sha256:... or b6000@sha256:..."
    assert [*Images(pins={"a": pin}).mistakes(("i",))] == ([] if is_pin else [(("i", "pins", "a"), told)])


@pytest.mark.parametrize(
    ("labels", "allocatable", "taken", "written"),
    [
        ({}, {"amd.com/gpu": 8}, (), "g: {allocatable: {amd.com/gpu: 8}}"),
        ({"a": "b"}, {}, (), "g: {labels: {a: b}}"),
        ({}, {}, (), "g: {}"),
        ({}, {}, ("g",), "g-2: {}"),
        ({}, {}, ("g", "g-2", "g-3"), "g-4: {}"),
        ({}, {}, ("g-2",), "g: {}"),
        ({}, {}, ("g", *(f"g-{number}" for number in range(2, 999))), "g-999: {}"),
        ({}, {}, ("g", *(f"g-{number}" for number in range(2, 1000))), "g: {}"),
        ({"a": "true", "b": "No", "c": "8", "d": ""}, {}, (), 'g: {labels: {a: "true", b: "No", c: "8", d: ""}}'),
        ({"a": "x: y", "b": 'q"', "c": "é"}, {}, (), r'g: {labels: {a: "x: y", b: "q\"", c: "\U000000e9"}}'),
        ({"a.test/b": "x_y.z/w-1"}, {"cpu": 64}, (), "g: {labels: {a.test/b: x_y.z/w-1}, allocatable: {cpu: 64}}"),
    ],
)
def test_an_expected_node_is_written_as_one_line_of_yaml(
    labels: dict[str, str], allocatable: dict[str, int], taken: tuple[str, ...], written: str
) -> None:
    assert entry_text("g", labels, allocatable, taken) == f"expectedNodes: {{{written}}}"
