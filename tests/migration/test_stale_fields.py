"""The finding about a field that its kind once had says what to write instead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run

AIM = "aim.eai.amd.com/v1alpha1"


def _hints(tmp_path: Path, kind: str, spec: dict[str, Any], *options: str) -> dict[str, str]:
    """What `lint` says about each unknown field."""
    obj = {"apiVersion": AIM, "kind": kind, "metadata": {"name": "a", "namespace": "default"}, "spec": spec}
    (tmp_path / "a.json").write_text(json.dumps(obj))
    done = run("lint", str(tmp_path / "a.json"), "-o", "json", *options)
    findings = [finding for each in json.loads(done.stdout)["results"] for finding in each["findings"]]
    return {finding["field"]: finding["hint"] for finding in findings if finding["rule"] == "K8S-001"}


@pytest.mark.parametrize(
    ("kind", "spec", "field", "hint"),
    [
        ("AIMService", {"model": {"ref": "llama"}}, "spec.model.ref", "it has moved: write spec.model.name"),
        ("AIMService", {"model": {"name": "l"}, "templateRef": "t"}, "spec.templateRef", "it has moved: write spec.template.name"),
        (
            "AIMService",
            {"model": {"name": "l"}, "template": {"name": "t"}, "allowUnoptimized": True},
            "spec.allowUnoptimized",
            "it has moved: write spec.template.allowUnoptimized",
        ),
        (
            "AIMService",
            {"model": {"name": "l"}, "kvCache": {"name": "kv"}},
            "spec.kvCache",
            "it is gone: the new operator has no caches for keys and values; run one next to the service",
        ),
        (
            "AIMRuntimeConfig",
            {"serviceAccountName": "robot"},
            "spec.serviceAccountName",
            "it is gone: no runtime configuration has it; write it in each service, model and template",
        ),
        ("AIMModel", {"image": "a/b:1", "discovery": {"enabled": True}}, "spec.discovery.enabled", "write spec.discovery.extractMetadata"),
    ],
)
def test_the_hint_names_the_successor(tmp_path: Path, kind: str, spec: dict[str, Any], field: str, hint: str) -> None:
    assert hint in _hints(tmp_path, kind, spec)[field]


def test_several_fields_that_move_into_one_map_each_name_their_place(tmp_path: Path) -> None:
    spec = {"model": {"name": "l"}, "templateRef": "t", "allowUnoptimized": True}
    assert _hints(tmp_path, "AIMService", spec) == {
        "spec.templateRef": "it has moved: write spec.template.name",
        "spec.allowUnoptimized": "it has moved: write spec.template.allowUnoptimized",
    }


def test_a_field_that_never_was_has_the_nearest_name_and_no_successor(tmp_path: Path) -> None:
    assert "moved" not in _hints(tmp_path, "AIMService", {"model": {"name": "l"}, "modle": {}})["spec.modle"]
