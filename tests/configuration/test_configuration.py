"""Mistakes in the configuration file: what is wrong, where, and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.webhook.configuration.reader import read_configuration
from weighbridge.webhook.texts.errors import InputError

HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"


def read(folder: Path, text: str) -> str:
    """The error that the text causes, without the file's name."""
    path = folder / "config.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_configuration(str(path))
    return str(caught.value).replace(str(path), "FILE")


def test_a_configuration_is_read(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(HEAD + 'rules: {LLMKUBE-001: "off"}\nonError: warn\nllmkube: {resourceNames: {amd: squat.ai/dri-render}}\n')
    config = read_configuration(str(path))
    assert (config.rules["LLMKUBE-001"], config.on_error) == ("off", "warn")
    assert config.settings_of(LLMKube).resource_names.of("amd") == "squat.ai/dri-render"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (HEAD + "rulez: {}\n", "FILE:3:1: rulez: unknown key; did you mean rules?"),
        (HEAD + "llmkube:\n  resourceName: {}\n", "FILE:4:3: llmkube.resourceName: unknown key; did you mean resourceNames?"),
        (
            HEAD + "rules:\n  LLMKUBE-001: maybe\n",
            "FILE:4:16: rules.LLMKUBE-001: write deny, warn, audit or off, not 'maybe'",
        ),
        (HEAD + "rules: {PLACE-007: warn}\n", "FILE:3:9: rules.PLACE-007: unknown rule; did you mean PLACE-006?"),
        (
            HEAD + "expectedResources: {nvidia.com/gpu: -4}\n",
            "FILE:3:37: expectedResources.nvidia.com/gpu: -4 is too few for one node; write at least 1, or leave it out",
        ),
        (
            HEAD + "llmkube: {resourceNames: {intel: bad name!}}\n",
            "FILE:3:34: llmkube.resourceNames.intel: 'bad name!' isn't a resource name; write domain/name, such as amd.com/gpu",
        ),
        (
            HEAD + "expectedNodes: {a: {label: {}}}\n",
            "FILE:3:21: expectedNodes.a.label: unknown key; did you mean labels?",
        ),
        (
            HEAD + "expectedNodes: {a: {taints: [{key: k, effect: NoSchedule, valu: x}]}}\n",
            "FILE:3:59: expectedNodes.a.taints[0].valu: unknown key; did you mean value?",
        ),
        (
            HEAD + "expectedNodes: {a: {allocatable: {cpu: lots}}}\n",
            "FILE:3:40: expectedNodes.a.allocatable.cpu: 'lots' isn't an amount; write one such as 8, 500m or 64Gi",
        ),
        (
            HEAD + "expectedNodes: {a: {allocatable: {cpu: [8]}}}\n",
            "FILE:3:40: expectedNodes.a.allocatable.cpu: a list is neither a text nor a number",
        ),
        ("kind: Configuration\n", "FILE:1: apiVersion: missing; write apiVersion: weighbridge.dev/v1alpha1"),
        ("- a\n", "FILE:1: a configuration is a map with apiVersion, kind and settings"),
        (HEAD + "---\n" + HEAD, "FILE:4:1: a second document; the first is at line 1, and a file has one of kind Configuration"),
        ("", "FILE: the file is empty; write one document of kind Configuration"),
    ],
    ids=[
        "unknown key",
        "unknown key below",
        "unknown value",
        "unknown rule",
        "less than one",
        "no resource name",
        "unknown key of a node",
        "unknown key of a taint",
        "no amount",
        "neither text nor number",
        "no version",
        "no map",
        "two documents",
        "empty",
    ],
)
def test_a_mistake_names_its_place_and_what_would_do(tmp_path: Path, text: str, error: str) -> None:
    assert read(tmp_path, text) == error


def test_off_needs_no_quotes(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(HEAD + "rules: {GIE-001: off}\n")
    assert read_configuration(str(path)).rules == {"GIE-001": "off"}


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_configuration(str(tmp_path / "absent.yaml"))
