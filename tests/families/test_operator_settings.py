"""An operator by its Deployment: which one it is, its version, its flags and its environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.operator_settings import (
    Flag,
    OperatorSettings,
    Program,
    as_list,
    as_map,
    as_number,
    as_switch,
    known_settings,
)
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

PROGRAM = Program(
    image="pad-operator",
    similar_images=frozenset({"pad"}),
    container="manager",
    has_labels=lambda labels: labels.get("app") == "pad",
    labels=("app",),
    flags={
        "colours": Flag("--colours", as_map),
        "sizes": Flag("--sizes", as_list),
        "sheets": Flag("--sheets", as_number),
        "ruled": Flag("--ruled", as_switch),
        "margin": Flag("PAD_MARGIN", as_number),
    },
)


@dataclass(frozen=True, slots=True)
class Pad(OperatorSettings):
    """The settings of an operator that no family has."""

    title: ClassVar[str] = "Pad"
    program: ClassVar[Program] = PROGRAM

    colours: Mapping[str, str] | None = None
    sizes: tuple[str, ...] = ()
    sheets: int = 20
    ruled: bool = False
    margin: int = 1


def deployment(name: str, image: str, *args: str, labels: dict[str, str] | None = None, env: dict[str, str] | None = None) -> JSONObject:
    container: JSONObject = {"name": "manager", "image": image, "args": list(args)}
    container["env"] = [{"name": key, "value": value} for key, value in (env or {}).items()]
    metadata = {"name": name, "namespace": "system", "labels": labels or {}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata,
        "spec": {"template": {"spec": {"containers": [container]}}},
    }


def known(*deployments: JSONObject, version: str = "", **given: Any) -> Pad:
    return known_settings(Pad, from_objects(deployments, Definitions()), given, version=version, installed=lambda: (1, 0, 0))


def test_flags_are_read_as_go_takes_them() -> None:
    found = known(
        deployment(
            "o",
            "r.io/x/pad-operator:v1.2.3-arm64",
            *("--colours=a=red, b=blue", "-sizes", "A4,A5", "--sheets=3", "--sheets", "4", "--ruled", "--else=1"),
            env={"PAD_MARGIN": "7"},
        )
    )
    assert found == Pad(
        version=(1, 2, 3),
        colours={"a": "red", "b": "blue"},
        sizes=("A4", "A5"),
        sheets=4,
        ruled=True,
        margin=7,
        origins=tuple((name, "Deployment system/o") for name in ("colours", "margin", "ruled", "sheets", "sizes", "version")),
    )
    assert (found.name, found.is_seen, found.since(1, 2), found.since(1, 3)) == ("Pad v1.2.3", True, True, False)


def test_a_flag_that_the_operator_would_not_take_is_passed_over() -> None:
    assert known(deployment("o", "pad-operator:1.0.0", "--sheets=many")).sheets == 20


def test_the_configuration_wins_over_the_deployment_and_that_over_the_installed_crds() -> None:
    running = deployment("o", "pad-operator:2.0.0", "--sheets=3")
    found = known(running, version="v3.0.0", sheets=5, margin=None)
    assert (found.version, found.sheets, found.origin("sheets"), found.origin("margin")) == (
        (3, 0, 0),
        5,
        "configuration",
        "upstream default",
    )
    assert known(running).version == (2, 0, 0)
    assert (known().version, known().origin("version"), known().is_seen) == ((1, 0, 0), "installed CRDs", False)


@pytest.mark.parametrize(
    ("others", "version"),
    [
        ([("mirror", "r.io/renamed:9.0.0", {"app": "pad"})], (9, 0, 0)),
        ([("like", "pad:8.0.0", {}), ("own", "pad-operator:7.0.0", {})], (7, 0, 0)),
        ([("like", "pad:8.0.0", {}), ("labelled", "renamed:6.0.0", {"app": "pad"})], (6, 0, 0)),
        ([("else", "nginx:5.0.0", {})], (1, 0, 0)),
    ],
    ids=["labels-where-a-mirror-renamed-it", "its-own-image-first", "labels-before-a-similar-image", "no-operator"],
)
def test_the_operator_is_told_by_its_image_or_its_labels(others: list[tuple[str, str, dict[str, str]]], version: tuple[int, ...]) -> None:
    assert known(*(deployment(name, image, labels=labels) for name, image, labels in others)).version == version


def test_of_a_deployment_only_what_is_read_is_kept() -> None:
    kept = PROGRAM.keep(deployment("o", "pad-operator:1.0.0", "--sheets=3", env={"PAD_MARGIN": "1", "SECRET": "s"}))
    assert kept is not None
    assert kept["spec"]["template"]["spec"]["containers"][0]["env"] == [{"name": "PAD_MARGIN", "value": "1"}]
    assert PROGRAM.keep(deployment("o", "nginx:1")) is None


def test_flags_may_refer_to_variables() -> None:
    written = deployment("o", "pad-operator:1.0.0", "--sheets=$(SHEETS)", env={"ONE": "1", "SHEETS": "$(ONE)2", "PAD_MARGIN": "$(ONE)1"})
    assert (known(written).sheets, known(written).margin) == (12, 11)
    # The objects that they refer to aren't kept, and a text that only looks like a reference isn't read as one the second time.
    kept = PROGRAM.keep(written)
    assert kept is not None
    assert (known(kept).sheets, known(kept).margin) == (12, 11)
    assert PROGRAM.keep(kept) == kept


def test_a_flag_by_a_value_that_is_not_known_says_nothing() -> None:
    secret = {"name": "SHEETS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
    for written in ("--sheets=$(SHEETS)", "--sheets=$(SHEETS)2"):
        obj = deployment("o", "pad-operator:1.0.0", written)
        obj["spec"]["template"]["spec"]["containers"][0]["env"] = [secret]
        assert known(obj).origin("sheets") == "upstream default"


def test_settings_are_listed_with_their_flags_and_origins() -> None:
    listed = [(setting.name, setting.value, setting.origin) for setting in known(sheets=5).settings()]
    assert listed[0] == ("version", "v1.0.0", "installed CRDs")
    assert ("--sheets", 5, "configuration") in listed
    assert ("PAD_MARGIN", 1, "upstream default") in listed
