"""kubectl and a real API server read the files of the CRDs that ship as we do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.webhook.inputs.manifest_reader import read

FILES = sorted((Path(__file__).resolve().parents[2] / "policies" / "families" / "llmkube" / "crds").glob("*/*.yaml"))


@pytest.mark.control_plane
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_server_takes_a_crd_as_it_is(control_plane: ControlPlane, file: Path) -> None:
    assert file.parent.name in FAMILY.versions
    ours = next(manifest.value for manifest in read([str(file)]).manifests)
    # Nothing is stored, since other tests on the same server install these kinds in other versions.
    options = ("--server-side", "--force-conflicts", "--dry-run=server", "-o", "json")
    done = control_plane.kubectl("apply", *options, "-f", str(file), check=True)
    theirs = json.loads(done.stdout)
    assert theirs["spec"]["names"] == ours["spec"]["names"]
    assert theirs["spec"]["scope"] == ours["spec"]["scope"]
    assert theirs["spec"]["versions"] == ours["spec"]["versions"]
    assert done.stderr == ""
