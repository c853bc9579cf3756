"""How the values of an operator's flags are read, what is kept of its Deployment, and how its settings are shown."""

from __future__ import annotations

from typing import Any

import pytest

from tests.families.test_operator_settings import PROGRAM, Pad, deployment, known
from weighbridge.policies.families.operator_settings import as_list, as_map, as_number, as_switch, as_text, setting_names
from weighbridge.policies.families.prediction import Setting


@pytest.mark.parametrize(
    ("read", "value", "found"),
    [
        (as_text, " x ", " x "),
        (as_map, "a=1, b = 2 ,c", {"a": "1", "b": "2", "c": ""}),
        (as_map, "a=b=c", {"a": "b=c"}),
        (as_map, " , ", {}),
        (as_list, "a, b,,c ", ("a", "b", "c")),
        (as_list, "", ()),
        (as_number, "12", 12),
        (as_number, "-12", -12),
        (as_number, "+12", None),
        (as_number, "1.0", None),
        (as_number, "", None),
        (as_switch, "true", True),
        (as_switch, "T", True),
        (as_switch, "1", True),
        (as_switch, "false", False),
        (as_switch, "yes", False),
        (as_switch, "", False),
    ],
)
def test_a_value_is_read_as_its_flag_is(read: Any, value: str, found: Any) -> None:
    assert read(value) == found


@pytest.mark.parametrize(
    ("args", "settings"),
    [
        (["--sheets", "3"], {"sheets": 3}),
        (["--sheets"], {}),
        (["--ruled", "--sheets"], {"ruled": True}),
        (["--ruled"], {"ruled": True}),
        (["--ruled=false"], {"ruled": False}),
        (["--ruled", "false"], {"ruled": True}),
        (["-sheets=3"], {"sheets": 3}),
        (["---sheets=3"], {"sheets": 3}),
        (["sheets=3"], {}),
        (["--sheets=x", "--sheets=3"], {"sheets": 3}),
        (["--sizes=a=b"], {"sizes": ("a=b",)}),
    ],
)
def test_flags_give_their_settings(args: list[str], settings: dict[str, Any]) -> None:
    assert PROGRAM.stated(deployment("o", "pad-operator", *args)) == settings


@pytest.mark.parametrize(
    ("image", "label", "version"),
    [
        ("pad-operator:v1.2.3", "", (1, 2, 3)),
        ("r.io:5000/x/pad-operator:1.2.3-rc.1@sha256:00", "", (1, 2, 3)),
        ("pad-operator:1.2.3_build", "", (1, 2, 3)),
        ("pad-operator:latest", "v4.5.6", (4, 5, 6)),
        ("pad-operator:1.2.3", "v4.5.6", (1, 2, 3)),
        ("pad-operator@sha256:00", "", None),
    ],
)
def test_the_tag_tells_the_version_or_else_the_label(image: str, label: str, version: Any) -> None:
    running = deployment("o", image, labels={"app.kubernetes.io/version": label} if label else {})
    assert PROGRAM.stated(running).get("version") == version


def test_of_the_operators_deployment_this_is_kept() -> None:
    running = deployment(
        "o",
        "pad-operator:1.0.0",
        *("--else=1", "--sheets", "$(N)", "--ruled"),
        labels={"app": "pad", "other": "x"},
        env={"N": "3", "PAD_MARGIN": "$$(N)"},
    )
    assert PROGRAM.keep(running) == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "o", "namespace": "system", "labels": {"app": "pad"}},
        "spec": {
            "template": {
                "spec": {
                    "containers": [
                        {
                            "name": "manager",
                            "image": "pad-operator:1.0.0",
                            "args": ["--sheets=3", "--ruled=true"],
                            "env": [{"name": "PAD_MARGIN", "value": "$$(N)"}],
                        }
                    ]
                }
            }
        },
    }


def test_only_the_operators_container_is_read() -> None:
    running = deployment("o", "pad-operator:1.0.0", "--sheets=3")
    containers = running["spec"]["template"]["spec"]["containers"]
    containers.insert(0, {"name": "proxy", "image": "proxy:1", "args": ["--sheets=9"]})
    assert PROGRAM.stated(running) == {"sheets": 3, "version": (1, 0, 0)}
    renamed = deployment("o", "mirror:1.0.0", "--sheets=4", labels={"app": "pad"})
    renamed["spec"]["template"]["spec"]["containers"].insert(0, {"name": "proxy", "image": "proxy:1", "args": ["--sheets=9"]})
    assert PROGRAM.stated(renamed) == {"sheets": 4, "version": (1, 0, 0)}


def test_all_settings_are_shown_in_order() -> None:
    pad = known(deployment("o", "pad-operator:2.0.0", "--colours=a=b"), sizes=["A4"])
    assert setting_names(Pad) == ("version", "colours", "sizes", "sheets", "ruled", "margin")
    shown = [
        Setting("version", "v2.0.0", "Deployment system/o"),
        Setting("--colours", {"a": "b"}, "Deployment system/o"),
        Setting("--sizes", ["A4"], "configuration"),
        Setting("--sheets", 20, "upstream default"),
        Setting("--ruled", False, "upstream default"),
        Setting("PAD_MARGIN", 1, "upstream default"),
    ]
    assert list(pad.settings()) == shown
    assert pad.settings()[1:3] == tuple(shown[1:3])
    assert len(pad.settings()) == 6


@pytest.mark.parametrize(("origins", "version", "seen"), [((), None, False), ((("version", "installed CRDs"),), (1, 2, 3), False)])
def test_a_version_that_nothing_tells_is_not_known(origins: Any, version: Any, seen: bool) -> None:
    pad = Pad(version=(1, 2, 3), origins=origins)
    assert (pad.known_version, pad.is_seen, pad.origin("version")) == (version, seen, dict(origins).get("version", "upstream default"))
    assert (pad.since(1, 2, 3), pad.since(1, 2, 4), pad.since(1), pad.since(2)) == (True, False, True, False)
