"""The version of the CRDs at the doors: by the configuration, by given CRDs, and its cost for users who don't need it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.versions import MODEL
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.inputs import bundled
from weighbridge.webhook.inputs.facts import bundled_definitions, load_facts

CRDS = Path(__file__).resolve().parents[2] / "policies" / "families" / "llmkube" / "crds"
CONFIGURATION = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nllmkube: {version: v0.9.5}\n"
#: A runtime and a field that came after v0.9.5.
SERVICE = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: svc}
spec: {modelRef: m, suspend: true}
"""
QUOTA = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: GPUQuota
metadata: {name: q}
spec: {gpuCount: -1, namespaceRef: team-a}
"""
UNKNOWN_FIELD = 'unknown field "spec.suspend"'


@pytest.fixture
def config(tmp_path: Path) -> str:
    file = tmp_path / "weighbridge.yaml"
    file.write_text(CONFIGURATION)
    return str(file)


@pytest.mark.parametrize("command", ["lint", "dry-run"])
def test_the_configured_version_judges_by_its_crds(command: str, config: str) -> None:
    old = run(command, "-", "--config", config, text=SERVICE)
    assert old.returncode == 1
    assert UNKNOWN_FIELD in old.stdout
    new = run(command, "-", text=SERVICE)
    assert UNKNOWN_FIELD not in new.stdout


@pytest.mark.parametrize("command", ["lint", "dry-run"])
def test_crds_that_are_given_say_the_version_of_the_others(command: str) -> None:
    model = CRDS / "v0.9.5" / "inference.llmkube.dev_models.yaml"
    done = run(command, "-", "--crds", str(model), text=SERVICE)
    assert done.returncode == 1
    assert UNKNOWN_FIELD in done.stdout


def test_the_crds_that_ship_can_be_given_as_they_are() -> None:
    for version in FAMILY.versions:
        done = run("lint", "-", "--crds", str(CRDS / version), text=SERVICE)
        assert (UNKNOWN_FIELD in done.stdout) is (version == "v0.9.5")
        assert done.stderr == ""


def test_a_kind_that_came_later_is_not_checked(config: str) -> None:
    new = run("lint", "-", text=QUOTA)
    assert new.returncode == 1
    assert "spec.gpuCount in body should be greater than or equal to 0" in new.stdout
    old = run("lint", "-", "--config", config, text=QUOTA)
    assert old.returncode == 0
    assert "not checked: inference.llmkube.dev/v1alpha1 GPUQuota: " in old.stdout


@pytest.fixture
def files_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the CRDs' files that are read from now on."""
    read: list[str] = []
    crd_at = bundled._crd

    def listed(place: tuple[str, str, str]) -> tuple[JSONObject, str]:
        read.append("/".join(place[1:]))
        return crd_at(place)

    monkeypatch.setattr(bundled, "_crd", listed)
    bundled._definition.cache_clear()
    return read


def test_only_the_crds_of_kinds_that_are_met_are_read(files_read: list[str]) -> None:
    definitions = bundled_definitions()
    assert len(definitions.kinds()) > len(FAMILY.kinds)
    assert definitions.versions(MODEL.group, "InferenceService") == ["v1alpha1"]
    assert files_read == []
    for _ in range(2):
        found = definitions.by_resource(MODEL.group, MODEL.version, "models")
        assert found is not None
        assert found is definitions.get(MODEL) is bundled_definitions().get(MODEL)
    assert files_read == ["crds/v0.9.19/inference.llmkube.dev_models.yaml"]


def test_crds_that_are_installed_spare_the_bundled_ones(files_read: list[str]) -> None:
    model: Any = next(crd for crd in bundled.bundled_crds() if crd["metadata"]["name"] == "models.inference.llmkube.dev")
    del files_read[:]
    facts = load_facts(given=[model])
    assert facts.definitions.get(MODEL) is facts.definitions.installed(MODEL)
    assert files_read == []
