"""Kinds that the cluster doesn't have: the message, with the group and version that may be meant."""

from __future__ import annotations

import pytest

from tests.apiserver.probe import PLAIN_CRD, PROBE_CRD
from tests.command_line import run
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, Path
from weighbridge.policies.verdict.absent_kinds import no_matches

KNOWN = Definitions.from_manifests([PROBE_CRD, PLAIN_CRD])


def kind(group: str, version: str, name: str) -> GroupVersionKind:
    return GroupVersionKind(group, version, name)


@pytest.mark.parametrize(
    ("gvk", "is_whole", "path", "message", "nearest"),
    [
        (kind("apps", "v2", "Deployment"), False, ("apiVersion",), (
            'no matches for kind "Deployment" in version "apps/v2": write apps/v1'
        ), ""),
        (kind("", "v2", "Pod"), False, ("apiVersion",), 'no matches for kind "Pod" in version "v2": write v1', ""),
        (kind("autoscaling", "v9", "HorizontalPodAutoscaler"), False, ("apiVersion",), (
            'no matches for kind "HorizontalPodAutoscaler" in version "autoscaling/v9": write autoscaling/v2 or autoscaling/v1'
        ), ""),
        (kind("apps", "v1", "Deploymnt"), False, ("kind",), (
            'no matches for kind "Deploymnt" in version "apps/v1": did you mean Deployment?'
        ), "Deployment"),
        (kind("apps", "v1", "Zzz"), False, ("kind",), 'no matches for kind "Zzz" in version "apps/v1"', ""),
        (kind("weighbridge.test", "v9", "Plain"), False, ("apiVersion",), (
            'no matches for kind "Plain" in version "weighbridge.test/v9": write weighbridge.test/v1'
        ), ""),
        (kind("weighbridge.test", "v9", "Probe"), False, ("apiVersion",), (
            'no matches for kind "Probe" in version "weighbridge.test/v9": write weighbridge.test/v1 or weighbridge.test/v1alpha1'
        ), ""),
        (kind("", "v1", "Deployment"), False, ("apiVersion",), (
            'no matches for kind "Deployment" in version "v1": the group is missing: write apps/v1'
        ), ""),
        (kind("app", "v1", "Deployment"), False, ("apiVersion",), (
            'no matches for kind "Deployment" in version "app/v1": did you mean apps/v1?'
        ), ""),
        (kind("extensions", "v1beta1", "Ingress"), False, ("apiVersion",), (
            'no matches for kind "Ingress" in version "extensions/v1beta1": did you mean networking.k8s.io/v1?'
        ), ""),
        (kind("networking.k8.io", "v1", "Ingress"), False, ("apiVersion",), (
            'no matches for kind "Ingress" in version "networking.k8.io/v1": did you mean networking.k8s.io/v1?'
        ), ""),
        (kind("apps", "v1", "Pod"), False, ("apiVersion",), 'no matches for kind "Pod" in version "apps/v1": did you mean v1?', ""),
        (kind("", "weighbridge.other", "Probe"), False, ("apiVersion",), (
            'no matches for kind "Probe" in version "weighbridge.other": the version is missing: write weighbridge.other/VERSION'
        ), ""),
        (kind("weighbridge.test", "v1", "Prob"), True, ("kind",), (
            'no matches for kind "Prob" in version "weighbridge.test/v1": did you mean Probe?'
        ), "Probe"),
    ],
)  # fmt: skip
def test_a_kind_that_is_not_there_is_told_with_what_there_is(
    gvk: GroupVersionKind, is_whole: bool, path: Path, message: str, nearest: str
) -> None:
    found = no_matches(gvk, KNOWN, is_whole=is_whole)
    assert found is not None
    assert (found.rule, found.severity, found.path, found.message, found.nearest) == ("K8S-008", Severity.ERROR, path, message, nearest)
    assert found.found == (gvk.api_version if path == ("apiVersion",) else gvk.kind)


@pytest.mark.parametrize(
    ("gvk", "is_whole"),
    [
        (kind("weighbridge.test", "v1", "Prob"), False),
        (kind("other.test", "v1", "Probe"), False),
        (kind("other.test", "v1", "Probe"), True),
        # SIGs of Kubernetes have kinds of the same names in groups that differ in a part or two letters.
        (kind("scheduling.x-k8s.io", "v1alpha1", "PriorityClass"), False),
        (kind("scheduling.sigs.k8s.io", "v1alpha1", "PriorityClass"), False),
    ],
)
def test_a_kind_that_may_be_there_is_not_told(gvk: GroupVersionKind, is_whole: bool) -> None:
    assert no_matches(gvk, KNOWN, is_whole=is_whole) is None


MEANT = {
    ("inference.networking.k8s.io/v1", "InferenceObjective"): "did you mean inference.networking.x-k8s.io/v1alpha2?",
    ("inference.networking.k8s.io/v1", "InferenceModel"): "did you mean inference.networking.x-k8s.io/v1alpha2?",
    ("inference.networking.k8s/v1", "InferencePool"): "did you mean inference.networking.k8s.io/v1?",
    ("aim.silogen.ai/v1alpha1", "AIMClusterImage"): "did you mean AIMClusterModel?",
    ("aim.eai.amd.com/v1alpha1", "AIMModelCache"): "did you mean AIMArtifact of aim.eai.amd.com/v1alpha1?",
    ("aim.amd.com/v1alpha1", "AIMService"): "did you mean aim.eai.amd.com/v1alpha1?",
    ("v1alpha1", "AIMService"): "the group is missing: write aim.eai.amd.com/v1alpha1",
    ("inference.llmkub.dev/v1alpha1", "InferenceService"): "did you mean inference.llmkube.dev/v1alpha1?",
    ("llmkube.dev/v1alpha1", "Model"): "did you mean inference.llmkube.dev/v1alpha1?",
    ("foreman.llmkube.dev/v1alpha1", "Model"): "did you mean inference.llmkube.dev/v1alpha1?",
    ("serving.llmkube.dev/v1alpha1", "Model"): "did you mean inference.llmkube.dev/v1alpha1?",
    ("inference.llmkube.dev", "Model"): "the version is missing: write inference.llmkube.dev/v1alpha1",
    ("llmkube.dev", "Model"): "did you mean inference.llmkube.dev/v1alpha1?",
    ("llmaz.io/v1alpha1", "Playground"): "did you mean inference.llmaz.io/v1alpha1?",
    ("inference.llmaz.io/v1alpha1", "OpenModel"): "did you mean llmaz.io/v1alpha1?",
    ("ome.io", "InferenceService"): "the version is missing: write ome.io/v1beta1",
    ("v1beta1", "InferenceService"): "the group is missing: write ome.io/v1beta1",
    ("v1", "InferenceService"): "the group is missing: write inference.llmkube.dev/v1alpha1 or ome.io/v1beta1",
}


@pytest.mark.parametrize("command", ["lint", "dry-run"])
@pytest.mark.parametrize(("written", "hint"), MEANT.items(), ids=[" ".join(written) for written in MEANT])
def test_a_known_kind_under_a_wrong_group_is_refused_with_the_right_one(command: str, written: tuple[str, str], hint: str) -> None:
    done = run(command, "-", text=f"{{apiVersion: {written[0]}, kind: {written[1]}, metadata: {{name: a}}}}\n")
    said = " ".join(done.stdout.split())
    assert f'no matches for kind "{written[1]}" in version "{written[0]}": {hint}' in said
    assert done.returncode == 1


@pytest.mark.parametrize(
    "written",
    [
        ("serving.kserve.io/v1beta1", "InferenceService"),
        ("llm-d.ai/v1alpha2", "InferenceObjective"),
        ("models.example.com/v1", "Model"),
        ("aim.eai.amd.com/v1alpha1", "AIMGadget"),
        ("scheduling.sigs.k8s.io/v1alpha1", "PodGroup"),
    ],
    ids=" ".join,
)
def test_a_kind_of_another_system_is_only_not_checked(written: tuple[str, str]) -> None:
    done = run("lint", "-", text=f"{{apiVersion: {written[0]}, kind: {written[1]}, metadata: {{name: a}}}}\n")
    assert (done.returncode, "K8S-008" in done.stdout) == (0, False)
    assert f"not checked: {written[0]} {written[1]}: no CustomResourceDefinition for this kind is known" in done.stdout
