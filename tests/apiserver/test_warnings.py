"""Which warnings reach the client."""

from __future__ import annotations

import pytest

from tests.apiserver.probe import a_probe, send
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.versions import deprecation_warning, version_priority
from weighbridge.policies.apiserver.warnings import headers
from weighbridge.policies.ground.objects import FieldValidation


def test_each_text_is_sent_once_and_none_that_is_empty() -> None:
    assert headers(["b", "", "a", "b"]) == ["b", "a"]


def test_a_text_with_control_characters_is_not_sent() -> None:
    assert headers(["a\x07b", "c\nd", "e"]) == ["e"]


def test_up_to_4096_characters_nothing_is_cut() -> None:
    texts = ["x" * 4000, "y" * 96]
    assert headers(texts) == texts


def test_beyond_4096_characters_each_is_cut_to_256() -> None:
    assert headers(["x" * 4000, "y" * 97]) == ["x" * 256, "y" * 97]


def test_what_comes_after_4096_cut_characters_is_dropped(probe: ResourceDefinition) -> None:
    body = a_probe(spec={f"f{number:050}": 1 for number in range(300)})
    answer = send(probe, body, validation=FieldValidation.WARN)
    assert {len(warning) for warning in answer.warnings} == {72}
    assert len(answer.warnings) == 57
    assert len(answer.decoded.findings) == 300


def test_the_overflowing_text_itself_is_sent() -> None:
    assert len(headers([f"{number:071}" for number in range(300)])) == 58


@pytest.mark.parametrize(
    ("better", "worse"),
    [("v2", "v1"), ("v1", "v2beta1"), ("v1beta1", "v1alpha9"), ("v1beta2", "v1beta1"), ("v1alpha1", "foo"), ("bar", "foo"), ("a", "ab")],
)
def test_versions_are_ordered_by_stability_then_number(better: str, worse: str) -> None:
    assert version_priority(better) > version_priority(worse)


def test_a_deprecated_version_points_to_the_best_that_is_better() -> None:
    versions = [
        {"name": "v1beta1", "served": True, "deprecated": True},
        {"name": "v1beta2", "served": True},
        {"name": "v1", "served": True},
        {"name": "v2", "served": False},
        {"name": "v3", "served": True, "deprecated": True},
    ]
    spec = {"group": "g", "names": {"kind": "K"}, "versions": versions}
    assert deprecation_warning(spec, versions[0]) == "g/v1beta1 K is deprecated; use g/v1 K"
    assert deprecation_warning(spec, versions[4]) == "g/v3 K is deprecated"
    assert deprecation_warning(spec, versions[1]) == ""


def test_a_control_character_that_is_cut_off_does_no_harm() -> None:
    hidden = "x" * 300 + "\x07"
    assert headers([hidden, "y" * 4096]) == ["y" * 4096]
    assert headers([hidden, "y" * 4096, "z"]) == ["x" * 256, "y" * 256, "z"]


def test_what_is_cut_is_all_that_one_request_says(probe: ResourceDefinition) -> None:
    finalizers = [f"f{number}.{'x' * 50}" for number in range(40)]
    body = a_probe(metadata={"name": "a", "finalizers": finalizers}, spec={"z" * 300: 1})
    answer = send(probe, body, validation=FieldValidation.WARN)
    assert answer.validated is not None
    assert answer.warnings == headers(answer.decoded.warnings + answer.validated.warnings)
    assert answer.warnings[0] == f'unknown field "spec.{"z" * 236}'
