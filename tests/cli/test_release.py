"""`--release`: objects are judged by the CRDs and the operator of a release that ships, or of several, with the differences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from weighbridge.policies.families import families

#: The names of all systems whose CRDs ship.
KNOWN = sorted(upstream.key for family in families() for upstream in family.upstreams)

#: A field that came with v0.9.11, and a kind that came after v0.9.5.
MANIFESTS = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m, namespace: shop}
spec: {source: "https://example.com/m.gguf", hardware: {gpu: {enabled: true, count: 1, vendor: nvidia}}}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: s, namespace: shop}
spec: {modelRef: m, replicas: 1, suspend: true}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: GPUQuota
metadata: {name: q, namespace: shop}
spec: {gpuCount: 1, namespaceRef: shop}
"""
WITHOUT_QUOTA = MANIFESTS.rpartition("---\n")[0]
SUSPEND = 'spec.suspend: {}unknown field "spec.suspend"'
NO_QUOTA = "LLMKube v0.9.5 doesn't have it; v0.9.19 has"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.yaml").write_text(MANIFESTS)
    return tmp_path


def lint(folder: Path, *arguments: str) -> str:
    return run("lint", "m.yaml", *arguments, cwd=folder).stdout


def installed(folder: Path, release: str) -> str:
    """A cluster with the CRD of services of one release."""
    crds = Path(__file__).resolve().parents[2] / "policies" / "families" / "llmkube" / "crds"
    (folder / "cluster.yaml").write_text((crds / release / "inference.llmkube.dev_inferenceservices.yaml").read_text())
    return "cluster.yaml"


def test_a_release_judges_by_its_crds(folder: Path) -> None:
    old, new = lint(folder, "--release", "llmkube=0.9.5"), lint(folder, "--release", "llmkube=v0.9.19")
    assert SUSPEND.format("") in old
    assert NO_QUOTA in old
    assert "2 failed" in old
    assert "0 failed" in new


def test_a_release_judges_whatever_the_cluster_has_installed(folder: Path) -> None:
    cluster = installed(folder, "v0.9.5")
    assert SUSPEND.format("") in lint(folder, "--cluster", cluster)
    assert "unknown field" not in lint(folder, "--cluster", cluster, "--release", "llmkube=0.9.19")


def test_several_releases_say_which_of_them_refuses(folder: Path) -> None:
    said = lint(folder, "--release", "llmkube=0.9.19,llmkube=0.9.5")
    assert SUSPEND.format("in LLMKube v0.9.5: ") in said
    assert f'in LLMKube v0.9.5: no matches for kind "GPUQuota" in version "inference.llmkube.dev/v1alpha1": {NO_QUOTA}' in said
    assert said == lint(folder, "--release", "llmkube=0.9.5", "--release", "llmkube=0.9.19")


@pytest.mark.parametrize("command", ["lint", "dry-run"])
def test_several_releases_say_what_is_filled_in_and_created_otherwise(folder: Path, command: str) -> None:
    (folder / "m.yaml").write_text(
        MANIFESTS.replace(", suspend: true", "").partition("---\napiVersion: inference.llmkube.dev/v1alpha1\nkind: GPU")[0]
    )
    said = run(command, "m.yaml", "-v", "--release", "llmkube=0.9.5,llmkube=0.9.19", cwd=folder).stdout
    assert "[WB-004] spec.suspend: LLMKube v0.9.19 fills in false, and v0.9.5 nothing" in said
    assert '[WB-004] spec.image: LLMKube v0.9.19 fills in nothing, and v0.9.5 "ghcr.io/ggml-org/llama.cpp:' in said
    created = next(line for line in said.splitlines() if "creates Deployment/s" in line)
    assert "LLMKube v0.9.19 creates Deployment/s otherwise than v0.9.5: " in created
    assert "args in another order" in created


def test_each_system_takes_each_release_that_ships(folder: Path) -> None:
    for family in families():
        for upstream in family.upstreams:
            for release in family.releases_of(upstream):
                assert run("lint", "m.yaml", "--release", f"{upstream.key}={release}", cwd=folder).stderr == ""


def test_every_group_of_every_family_is_of_one_upstream() -> None:
    for family in families():
        groups = [group for upstream in family.upstreams for group in upstream.groups]
        kinds = sorted({kind.gvk.group for kind in family.kinds})
        assert sorted(groups) == kinds, f"upstreams of {family.name} have the groups {sorted(groups)}, and its kinds {kinds}"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("llmkube=0.9.10", "the CRDs of LLMKube 0.9.10 aren't bundled; write llmkube=v0.9.19, the nearest of v0.9.5, v0.9.19, or give"),
        ("llmkube=0.9.4", "write llmkube=v0.9.5, the nearest of"),
        ("ome=0.2.0", "the CRDs of OME 0.2.0 aren't bundled; write ome=v0.1.5, the only one that is, or give those of 0.2.0 with --crds"),
        ("llmcube=1", "no system has this name; did you mean llmkube?"),
        ("x=1", f"no system has this name; known are {', '.join(KNOWN)}"),
        ("aim=0.2.1", "no system has this name; did you mean aim-engine or kaiwo?"),
        ("llmkube", "must be SYSTEM=VERSION; write one such as llmkube=0.9.19"),
        (f"llmkube={'9' * 5000}", "must be SYSTEM=VERSION"),
        ("", "must be SYSTEM=VERSION"),
        ("llmkube=0.9.5,", "must be SYSTEM=VERSION"),
    ],
)
@pytest.mark.parametrize("command", [("lint", "m.yaml"), ("dry-run", "m.yaml"), ("audit", "--cluster", "m.yaml")])
def test_a_release_that_does_not_ship_is_one_clear_error(folder: Path, command: tuple[str, ...], given: str, said: str) -> None:
    done = run(*command, "--release", given, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_of_one_system_alone_several_releases_are_compared(folder: Path) -> None:
    done = run("lint", "m.yaml", "--release", "llmkube=0.9.5,llmkube=0.9.19", "--kubernetes-version", "1.36,1.37", cwd=folder)
    assert done.returncode == 2
    assert "several releases of Kubernetes, llmkube: give several releases of one system" in done.stderr


# --- the CRDs from which findings come ---

OTHER_RELEASE = """\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: s, namespace: shop}
spec: {model: {name: m}, newer: true}
---
apiVersion: aim.eai.amd.com/v1alpha2
kind: AIMService
metadata: {name: a, namespace: shop}
spec: {}
"""
FROM_BUNDLED = "findings come from the bundled CRDs of OME v0.1.5 and aim-engine v0.2.1; if your cluster runs another release, give its"


@pytest.mark.parametrize("command", ["lint", "dry-run"])
def test_the_release_of_the_bundled_crds_is_said_once_a_run(folder: Path, command: str) -> None:
    (folder / "m.yaml").write_text(OTHER_RELEASE + "---\n" + OTHER_RELEASE.replace("name: s", "name: t").replace("name: a", "name: b"))
    done = run(command, "m.yaml", cwd=folder)
    assert done.stdout.replace("\n  ", " ").count(FROM_BUNDLED) == 1


def test_reports_for_tools_name_it_with_each_object(folder: Path) -> None:
    (folder / "m.yaml").write_text(OTHER_RELEASE)
    found = json.loads(lint(folder, "-o", "json"))
    assert [result["bundled"] for result in found["results"]] == ["OME v0.1.5", "aim-engine v0.2.1"]
    assert found["summary"]["bundled"] == ["OME v0.1.5", "aim-engine v0.2.1"]
    assert "::notice title=bundled CRDs::findings come from" in lint(folder, "-o", "github")
    lines = run("dry-run", "m.yaml", "-o", "jsonl", "--short", cwd=folder).stdout.splitlines()
    assert [json.loads(line)["bundled"] for line in lines] == ["OME v0.1.5", "aim-engine v0.2.1"]


@pytest.mark.parametrize("given", [("--release", "llmkube=0.9.5"), ("--cluster", "cluster.yaml"), ("--crds", "cluster.yaml")])
def test_where_the_crd_is_the_users_choice_nothing_is_said_of_it(folder: Path, given: tuple[str, str]) -> None:
    installed(folder, "v0.9.5")
    (folder / "m.yaml").write_text(WITHOUT_QUOTA)
    said = lint(folder, *given)
    assert SUSPEND.format("") in said
    assert "bundled" not in said


def test_without_such_findings_nothing_is_said_of_it(folder: Path) -> None:
    assert "bundled" not in lint(folder)
    assert json.loads(lint(folder, "-o", "json"))["summary"]["bundled"] == []


@pytest.mark.parametrize(
    ("api_version", "kind", "said"),
    [
        ("aim.eai.amd.com/v1alpha2", "AIMService", ": aim-engine v0.2.1 has v1alpha1, and no newer release is known"),
        ("aim.silogen.ai/v1beta1", "AIMService", ": kaiwo dbca1b55 of 2025-12-12 has v1alpha1, and no newer release is known"),
        ("ome.io/v1", "InferenceService", ": OME v0.1.5 has v1beta1, and no newer release is known"),
        ("ome.io/v1alpha1", "InferenceService", ": write ome.io/v1beta1"),
        # Another group of the system has this version.
        ("inference.networking.x-k8s.io/v1", "InferencePool", ": did you mean inference.networking.k8s.io/v1?"),
        ("llmaz.io/v1alpha2", "OpenModel", ": llmaz 3c13ff3 of 2025-10-30 has v1alpha1, and no newer release is known"),
        ("inference.networking.k8s.io/v2", "InferencePool", ": Gateway API Inference Extension v0.5.1 to v1.6.0 have v1, and no newer"),
    ],
)
def test_a_newer_version_is_not_advised_to_go_back(api_version: str, kind: str, said: str) -> None:
    text = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n"
    assert f'no matches for kind "{kind}" in version "{api_version}"{said}' in run("lint", "-", text=text).stdout


def test_a_version_that_an_installed_crd_lacks_is_told_what_the_cluster_has(folder: Path) -> None:
    (folder / "m.yaml").write_text(MANIFESTS.replace("inference.llmkube.dev/v1alpha1", "inference.llmkube.dev/v1alpha2"))
    said = lint(folder, "--cluster", installed(folder, "v0.9.5"))
    assert (
        'no matches for kind "InferenceService" in version "inference.llmkube.dev/v1alpha2": write inference.llmkube.dev/v1alpha1' in said
    )
    assert 'no matches for kind "Model" in version "inference.llmkube.dev/v1alpha2": LLMKube v0.9.5 to v0.9.19 have v1alpha1' in said


def test_what_is_ignored_of_a_configuration_is_said_once_for_all_releases(folder: Path) -> None:
    ended = "exceptions: [{rules: [LLMKUBE-008], match: {namespaces: [a]}, reason: x, expires: 2020-01-01}]\n"
    (folder / "config.yaml").write_text(f"apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n{ended}")
    for command in (("lint", "m.yaml"), ("dry-run", "m.yaml"), ("audit", "--cluster", "m.yaml")):
        done = run(*command, "--config", "config.yaml", "--release", "llmkube=0.9.5,llmkube=0.9.19", cwd=folder)
        assert done.stderr.count("Warning: exceptions[0] from LLMKUBE-008 ended") == 1


def test_an_unknown_release_of_the_clusters_server_is_said_once(folder: Path) -> None:
    header = "apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\nserver: v1.30.1\nitems: []\n"
    (folder / "cluster.yaml").write_text(header)
    for command in (("lint", "m.yaml"), ("dry-run", "m.yaml"), ("audit",)):
        done = run(*command, "--cluster", "cluster.yaml", "--release", "llmkube=0.9.5,llmkube=0.9.19", cwd=folder)
        assert done.stderr.count("Kubernetes v1.30.1 isn't known, so objects are judged as by 1.34") == 1
