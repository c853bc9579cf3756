"""cluster-autoscaler by its status, in both forms, and by the flags of its Deployment."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.yaml_documents import read
from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.autoscaling.cluster_autoscaler import cluster_autoscaler, kept_deployment, kept_status, without_names
from weighbridge.policies.facts.autoscaling.status import NodeGroup, read_status, status_text
from weighbridge.policies.ground.objects import JSONObject

YAML = """\
time: 2026-11-22 04:28:19.123 +0000 UTC
autoscalerStatus: Running
clusterWide:
  health:
    status: Healthy
    nodeCounts:
      registered:
        total: 9
nodeGroups:
- name: https://www.googleapis.com/compute/v1/projects/p/zones/z/instanceGroups/gke-c-gpu-pool-1a2b-grp
  health:
    status: Healthy
    nodeCounts:
      registered:
        total: 1
        ready: 1
        notStarted: 0
        unready:
          total: 0
          resourceUnready: 0
      longUnregistered: 0
      unregistered: 0
    cloudProviderTarget: 1
    minSize: 0
    maxSize: 3
    lastProbeTime: "2026-11-22T04:28:19.1Z"
  scaleUp:
    status: Backoff
    backoffInfo:
      errorCode: QUOTA_EXCEEDED
      errorMessage: 'Instance ''x'' creation failed: Quota exceeded.
        maxSize: 99'
    lastProbeTime: "2026-11-22T04:28:19.1Z"
  scaleDown:
    status: NoCandidates
- name: "eks-gpu-spot-3ec7"
  health: {status: Healthy, nodeCounts: {registered: {total: 0, ready: 0}}, cloudProviderTarget: 0, minSize: 0, maxSize: 4}  # none yet
  scaleUp: {status: NoActivity}
"""
TEXT = """\
Cluster-autoscaler status at 2023-11-22 04:28:19.123 +0000 UTC:
Cluster-wide:
  Health:      Healthy (ready=9 unready=0 (resourceUnready=0) notStarted=0 longNotStarted=0 registered=9 longUnregistered=0)
               LastProbeTime:      2023-11-22 04:28:19.1 +0000 UTC m=+42.1
  ScaleUp:     NoActivity (ready=9 registered=9)

NodeGroups:
  Name:        eks-cpus-1ab2
  Health:      Healthy (ready=1 unready=0 (resourceUnready=0) notStarted=0 longNotStarted=0 registered=1 longUnregistered=0 \
cloudProviderTarget=2 (minSize=0, maxSize=3))
               LastProbeTime:      2023-11-22 04:28:19.1 +0000 UTC m=+42.1
  ScaleUp:     NoActivity (ready=1 cloudProviderTarget=2)
  ScaleDown:   NoCandidates (candidates=0)

  Name:        eks-gpu-spot-3ec7
  Health:      Healthy (ready=0 unready=0 (resourceUnready=0) notStarted=0 longNotStarted=0 registered=0 longUnregistered=0 \
cloudProviderTarget=0 (minSize=0, maxSize=4))
  ScaleUp:     Backoff (ready=0 cloudProviderTarget=0)
"""
NAME = "cluster-autoscaler-status"


def status(text: str, namespace: str = "kube-system", name: str = NAME) -> JSONObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": {"status": text}}


def deployment(*words: str, image: str = "registry.k8s.io/autoscaling/cluster-autoscaler:v1.32.1", **spec: Any) -> JSONObject:
    container = {"name": "c", "image": image, "command": list(words), "env": [{"name": "TOKEN", "value": "secret"}]}
    template = {"spec": {"containers": [container]}}
    metadata = {"name": "scaler", "namespace": "kube-system"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": template, **spec}}


def found(*objects: JSONObject) -> list[tuple[str, int | None, int]]:
    scaler = cluster_autoscaler(ObjectStore(objects))
    assert scaler is not None
    return [(group.name, group.registered, group.most) for group in scaler.groups]


def test_the_groups_of_the_yaml_form_are_read() -> None:
    gke, eks = read_status(YAML)
    assert (gke.short_name, gke.registered, gke.most) == ("gke-c-gpu-pool-1a2b-grp", 1, 3)
    assert gke.backoff == "QUOTA_EXCEEDED: Instance 'x' creation failed: Quota exceeded. maxSize: 99"
    assert eks == NodeGroup("eks-gpu-spot-3ec7", 0, 4)
    assert (eks.is_empty, eks.has_room, gke.is_empty, gke.has_room) == (True, True, False, False)


def test_the_groups_of_the_text_for_people_are_read() -> None:
    assert read_status(TEXT) == (NodeGroup("eks-cpus-1ab2", 1, 3), NodeGroup("eks-gpu-spot-3ec7", 0, 4, "Backoff"))


@pytest.mark.parametrize("indent", ["", "  "])
def test_a_list_may_stand_under_its_key_or_deeper(indent: str) -> None:
    head, entries = YAML.split("nodeGroups:\n")
    moved = "".join(f"{indent}{line}\n" for line in entries.splitlines())
    assert read_status(f"{head}nodeGroups:\n{moved}") == read_status(YAML)


@given(st.text(st.characters(codec="ascii", exclude_characters="\x7f"), max_size=60).filter(lambda text: text.isprintable()))
def test_a_message_in_whatever_quotes_yaml_gives_it_is_read(message: str) -> None:
    group = {
        "name": "g",
        "health": {"nodeCounts": {"registered": {"total": 0}}, "maxSize": 4},
        "scaleUp": {"status": "Backoff", "backoffInfo": {"errorCode": "C", "errorMessage": message}},
    }
    text = yaml.safe_dump({"autoscalerStatus": "Running", "nodeGroups": [group]}, width=20, sort_keys=False)
    (read,) = read_status(text)
    assert (read.name, read.registered, read.most) == ("g", 0, 4)
    assert read.backoff.startswith("C")


@given(st.text(max_size=300))
def test_whatever_stands_there_is_read_without_failing(text: str) -> None:
    for written in (text, f"autoscalerStatus: Running\nnodeGroups:\n- {text}", f"NodeGroups:\n  Name: {text}"):
        assert all(isinstance(group, NodeGroup) for group in read_status(written))


def test_a_quote_that_nothing_ends_goes_to_the_end_of_the_text() -> None:
    first = '- name: group-0\n  scaleUp:\n    backoffInfo:\n      errorMessage: "open\n'
    others = "".join(f"- name: group-{number}\n" for number in range(1, 1000))
    assert [group.name for group in read_status(f"autoscalerStatus: Running\nnodeGroups:\n{first}{others}")] == ["group-0"]


@pytest.mark.parametrize("text", [YAML, TEXT])
def test_what_is_kept_of_a_status_says_the_same(text: str) -> None:
    kept = kept_status(status(text))
    assert kept is not None
    assert read_status(kept["data"]["status"]) == read_status(text)
    assert read(kept["data"]["status"])["autoscalerStatus"] == "Running"
    assert "lastProbeTime" not in str(kept)


@pytest.mark.parametrize("other", [status(YAML, "team-a"), status(YAML, name="other"), {**status(YAML), "kind": "Secret"}])
def test_anybody_s_config_map_is_none(other: JSONObject) -> None:
    assert kept_status(other) is None
    assert cluster_autoscaler(ObjectStore([other])) is None


@pytest.mark.parametrize(
    ("words", "groups", "is_listed"),
    [
        (["./cluster-autoscaler", "--nodes=0:4:gpu", "--nodes", "1:3:asg:cpu"], [("gpu", None, 4), ("asg:cpu", None, 3)], True),
        (["./cluster-autoscaler", "--node-group-auto-discovery=asg:tag=a,b"], [], False),
        (["./cluster-autoscaler", "--nodes=0:4:gpu", "--node-group-auto-discovery=mig:min=0"], [("gpu", None, 4)], False),
        (["./cluster-autoscaler", "-nodes=0:4:gpu"], [("gpu", None, 4)], True),
        (["./cluster-autoscaler", "--cloud-provider=azure"], [], False),
        (["./cluster-autoscaler", "--nodes=odd", "--nodes"], [], False),
    ],
)
def test_without_a_status_the_flags_tell_of_groups(words: list[str], groups: list[Any], is_listed: bool) -> None:
    for obj in (deployment(*words), kept_deployment(deployment(*words)) or {}):
        assert found(obj) == groups
        scaler = cluster_autoscaler(ObjectStore([obj]))
        assert scaler is not None
        assert scaler.is_listed is is_listed


def test_the_status_comes_before_the_flags() -> None:
    assert [name for name, _, _ in found(status(TEXT), deployment("ca", "--nodes=0:9:other"))] == ["eks-cpus-1ab2", "eks-gpu-spot-3ec7"]


@pytest.mark.parametrize(
    "other",
    [
        deployment("./cluster-autoscaler", "--nodes=0:4:gpu", replicas=0),
        deployment("sleep", image="k8s.gcr.io/cluster-proportional-autoscaler:1"),
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x"}, "spec": None},
    ],
)
def test_a_deployment_that_scales_nothing_is_none(other: JSONObject) -> None:
    assert cluster_autoscaler(ObjectStore([other])) is None


def test_of_a_deployment_only_what_tells_of_groups_is_kept() -> None:
    kept = kept_deployment(deployment("./cluster-autoscaler", "--nodes=0:4:gpu", "--v=4", replicas=2))
    assert kept is not None
    assert kept["spec"]["replicas"] == 2
    assert kept["spec"]["template"]["spec"]["containers"][0]["args"] == ["--nodes=0:4:gpu"]
    assert "secret" not in str(kept)
    assert kept_deployment(deployment("nginx", image="nginx")) is None


def test_groups_of_machines_that_say_more_themselves_are_left_to_them() -> None:
    text = status_text([NodeGroup("MachineDeployment/ns/gpus", 0, 4), NodeGroup("other", 0, 4)])
    machines = {"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "MachineDeployment", "metadata": {"name": "gpus", "namespace": "ns"}}
    assert [name for name, _, _ in found(status(text), machines)] == ["other"]
    assert [name for name, _, _ in found(status(text))] == ["MachineDeployment/ns/gpus", "other"]


def test_names_can_be_taken_out() -> None:
    hidden = without_names(status(YAML))
    assert found(hidden) == [("group-1", 1, 3), ("group-2", 0, 4)]
    assert not [word for word in ("gke", "eks", "Quota") if word in str(hidden)]
    bare = without_names(deployment("./cluster-autoscaler", "--nodes=0:4:gpu", "--node-group-auto-discovery=asg:tag=my-cluster"))
    assert found(bare) == [("group-1", None, 4)]
    assert "my-cluster" not in str(bare)
    other = deployment("nginx", image="nginx")
    assert without_names(other) is other
