"""`weighbridge fit`, and the findings of lint and dry-run on the objects of a run together."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import run

GPU = "nvidia.com/gpu"


def node(name: str, gpus: int, **spec: Any) -> dict[str, Any]:
    status = {"allocatable": {"cpu": "64", "memory": "512Gi", "pods": "110", **({GPU: str(gpus)} if gpus else {})}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": spec, "status": status}


def deployment(name: str, gpus: int, replicas: int = 1) -> dict[str, Any]:
    pod = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {GPU: gpus}}}]}
    template = {"metadata": {"labels": {"app": name}}, "spec": pod}
    spec = {"replicas": replicas, "strategy": {"type": "Recreate"}, "selector": {"matchLabels": {"app": name}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "ai"}, "spec": spec}


def write(path: Path, *objects: dict[str, Any]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump_all(objects))
    return str(path)


@pytest.fixture
def cluster(tmp_path: Path) -> str:
    nodes = [node(f"h{index}", 8) for index in range(3)]
    return write(tmp_path / "cluster.yaml", *nodes, node("cpu", 0), node("closed", 8, unschedulable=True))


def found(*arguments: str) -> dict[str, str]:
    """lint's findings on a change as a whole, by object."""
    results = [json.loads(line) for line in run("lint", *arguments, "-o", "jsonl").stdout.splitlines()]
    told = ((one.get("object", ""), finding) for one in results for finding in one.get("findings", []))
    return {label: finding["message"] for label, finding in told if finding["rule"] == "PLACE-003"}


def test_the_picture_has_a_sign_for_each_gpu_within_80_columns(tmp_path: Path, cluster: str) -> None:
    objects = write(tmp_path / "app.yaml", deployment("a", 8, 2), deployment("b", 3, 2), deployment("c", 8))
    shown = run("fit", objects, "--cluster", cluster)
    assert shown.returncode == 1
    lines = shown.stdout.splitlines()
    assert lines[0] == "32 nvidia.com/gpu: 22 taken by this change, 10 free"
    assert "h0 and 1 like it  AAAA AAAA" in lines
    assert "h2                BBBB BB.." in lines
    assert "closed            .... ....  cordoned or not ready" in lines
    assert "1 node without devices, and without pods of this change" in lines
    assert "C  Deployment ai/c: 0 of 1 pod, 8 nvidia.com/gpu each" in lines
    assert max(map(len, lines)) <= 80
    assert run("fit", write(tmp_path / "one.yaml", deployment("a", 8, 3)), "--cluster", cluster).returncode == 0


def test_the_same_as_json_and_as_a_page_without_anything_from_elsewhere(tmp_path: Path, cluster: str) -> None:
    objects = write(tmp_path / "app.yaml", deployment("a", 8, 2), deployment("b", 16))
    picture = json.loads(run("fit", objects, "--cluster", cluster, "-o", "json").stdout)
    assert picture["totals"][GPU] == {"allocatable": 32, "running": 0, "change": 16, "free": 16}
    assert picture["workloads"] == [{"object": "Deployment ai/a", "role": "", "asks": f"8 {GPU}", "pods": 2, "placed": 2}]
    assert [one["object"] for one in picture["outside"]] == ["Deployment ai/b"]
    assert picture["nodes"][0]["devices"][GPU]["change"] == [{"workload": 0, "count": 8}]
    page = run("fit", objects, "--cluster", cluster, "-o", "html").stdout
    assert page.count('<span class="c"') == 9
    assert "http" not in page
    assert "<script" not in page


def test_names_are_escaped_in_the_page(tmp_path: Path) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("<b>", 1))
    page = run("fit", write(tmp_path / "app.yaml", deployment("a", 1)), "--cluster", cluster, "-o", "html").stdout
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_what_cannot_be_shown_is_one_clear_error(tmp_path: Path, cluster: str) -> None:
    objects = write(tmp_path / "app.yaml", deployment("a", 1))
    without = run("fit", objects)
    assert (without.returncode, without.stderr.count("\n")) == (2, 1)
    assert "nothing is known of the cluster's nodes" in without.stderr
    broken = tmp_path / "broken.yaml"
    broken.write_text("a: [")
    unread = run("fit", str(broken), "--cluster", cluster)
    assert (unread.returncode, "broken.yaml" in unread.stderr, "Traceback" in unread.stderr) == (2, True, False)
    for name in ("dev", "prod"):
        write(tmp_path / "env" / name / "a.yaml", deployment("a", 1))
    several = run("fit", str(tmp_path / "env"), "--cluster", cluster)
    assert several.returncode == 2
    assert "2 clusters" in several.stderr


def test_an_object_without_room_beside_the_others_is_named_whatever_the_order_of_files(tmp_path: Path) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("n1", 1))
    files = [write(tmp_path / f"{name}.yaml", deployment(obj, 1)) for name, obj in (("x", "b"), ("y", "a"))]
    for order in permutations(files):
        told = found(*order, "--cluster", cluster)
        assert told == {"Deployment ai/b": told["Deployment ai/b"]}
        assert told["Deployment ai/b"].startswith("it fits alone, but not together with Deployment ai/a of this change: 2 pods with 1")
    shown = run("dry-run", *files, "--cluster", cluster)
    assert "PLACE-003" in shown.stdout
    assert shown.returncode == 0
    assert found(files[0], "--cluster", cluster) == {}


def test_an_object_that_is_there_twice_takes_room_once(tmp_path: Path) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("n1", 2))
    files = [write(tmp_path / f"{name}.yaml", deployment("a", 1)) for name in ("x", "y")]
    assert found(*files, write(tmp_path / "z.yaml", deployment("b", 1)), "--cluster", cluster) == {}


def test_a_batch_is_placed_with_the_objects_of_its_context(tmp_path: Path) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("n1", 1))
    write(tmp_path / "app" / "a.yaml", deployment("a", 1))
    second = write(tmp_path / "app" / "b.yaml", deployment("b", 1))
    assert found(second, "--cluster", cluster) == {}
    assert list(found(second, "--context", str(tmp_path / "app"), "--cluster", cluster)) == ["Deployment ai/b"]


def test_folders_for_different_clusters_are_not_taken_together(tmp_path: Path) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("n1", 1))
    for name in ("dev", "prod"):
        write(tmp_path / "env" / name / "a.yaml", deployment("a", 1))
    assert found(str(tmp_path / "env"), "--cluster", cluster) == {}
    write(tmp_path / "env" / "shared.yaml", deployment("b", 1))
    assert list(found(str(tmp_path / "env"), "--cluster", cluster)) == ["Deployment ai/b"]


def test_the_configuration_can_refuse_it(tmp_path: Path) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("n1", 1))
    objects = write(tmp_path / "app.yaml", deployment("a", 1), deployment("b", 1))
    rules = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", "rules": {"PLACE-003": "deny"}}
    strict = ("--cluster", cluster, "--config", write(tmp_path / "config.yaml", rules))
    assert run("lint", objects, *strict).returncode == 1
    shown = run("dry-run", objects, *strict)
    assert shown.returncode == 1
    assert "refused" in shown.stdout


def test_a_kept_answer_follows_the_objects_beside(tmp_path: Path) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("n1", 2))
    folder = tmp_path / "app"
    write(folder / "a.yaml", deployment("a", 1))
    write(folder / "b.yaml", deployment("b", 1))
    assert found(str(folder), "--cluster", cluster) == {}
    write(folder / "a.yaml", deployment("a", 2))
    assert list(found(str(folder), "--cluster", cluster)) == ["Deployment ai/b"]


def test_of_files_without_objects_a_note_says_that_nothing_is_given(tmp_path: Path, cluster: str) -> None:
    (tmp_path / "values.yaml").write_text("replicas: 3\n")
    done = run("fit", str(tmp_path / "values.yaml"), "--cluster", cluster)
    assert done.returncode == 0
    assert done.stderr == "Note: nothing is given, so this is the cluster without a change\n"


#: Services of two systems, with a GPU each, and their models.
LLMKUBE = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: llama, namespace: ai}
spec: {source: "https://models.example.com/llama.gguf", hardware: {accelerator: cuda, gpu: {enabled: true, count: 1}}}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: kube, namespace: ai}
spec: {modelRef: llama, image: "ghcr.io/ggml-org/llama.cpp:server-cuda"}
"""
LLMAZ = """\
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: opt}
spec:
  familyName: opt
  source: {modelHub: {modelID: facebook/opt-125m}}
  inferenceConfig: {flavors: [{name: gpus, limits: {nvidia.com/gpu: 1}}]}
---
apiVersion: inference.llmaz.io/v1alpha1
kind: Service
metadata: {name: az, namespace: ai}
spec:
  modelClaims: {models: [{name: opt}]}
  workloadTemplate: {size: 1, workerTemplate: {spec: {containers: [{name: model-runner, image: "acme/engine:v1"}]}}}
"""
DAEMON = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: probe, namespace: ai}
spec:
  selector: {matchLabels: {app: probe}}
  template:
    metadata: {labels: {app: probe}}
    spec: {containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}
"""


@pytest.mark.parametrize(
    ("texts", "gpus", "named", "rival"),
    [
        ((LLMKUBE, LLMAZ), 2, [], ""),
        ((LLMKUBE, LLMAZ), 1, ["Service ai/az"], "InferenceService ai/kube"),
        # A DaemonSet has a pod on the one node.
        ((LLMKUBE, DAEMON), 1, ["InferenceService ai/kube"], "DaemonSet ai/probe"),
        ((LLMAZ, DAEMON), 1, ["Service ai/az"], "DaemonSet ai/probe"),
        ((LLMAZ, DAEMON), 2, [], ""),
    ],
)
def test_services_of_several_systems_and_daemons_share_the_nodes(
    tmp_path: Path, texts: tuple[str, ...], gpus: int, named: list[str], rival: str
) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("n1", gpus))
    path = tmp_path / "app.yaml"
    path.write_text("---\n".join(texts))
    said = found(str(path), "--cluster", cluster)
    assert list(said) == named
    assert all(rival in message for message in said.values())


def pictured(*arguments: str) -> str:
    """The diagram in a comment for a pull request; empty if there is none."""
    said = run("lint", *arguments, "-o", "markdown").stdout
    return said.partition("```text\n")[2].partition("\n```")[0]


def test_a_comment_for_a_pull_request_has_the_picture(tmp_path: Path, cluster: str) -> None:
    app = write(tmp_path / "app.yaml", deployment("a", 4, 3), deployment("b", 8, 3))
    shown = run("fit", app, "--cluster", cluster).stdout
    assert "AAAA AAAA" in shown
    assert pictured(app, "--cluster", cluster) == shown.strip()
    alone = write(tmp_path / "alone.yaml", deployment("a", 9))
    assert "no room for:\n  Deployment ai/a: 0/5 nodes are available" in pictured(alone, "--cluster", cluster)
    assert pictured(app) == ""


def test_objects_for_two_clusters_have_no_picture_in_a_comment(tmp_path: Path, cluster: str) -> None:
    for name in ("dev", "prod"):
        write(tmp_path / "env" / name / "a.yaml", deployment("a", 1))
    assert pictured(str(tmp_path / "env"), "--cluster", cluster) == ""
    assert "AAA" not in pictured(write(tmp_path / "none.yaml", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}))


def test_a_picture_that_is_too_large_is_left_out_with_what_shows_it(tmp_path: Path) -> None:
    nodes = [node(f"node-with-a-rather-long-name-{index:04}", 1 + index % 31, taints=[]) for index in range(600)]
    for index, one in enumerate(nodes):
        one["metadata"]["labels"] = {"number": str(index)}
    app = write(tmp_path / "app.yaml", *(deployment(f"a-rather-long-name-{index}", 1, 3) for index in range(300)))
    said = run("lint", app, "--cluster", write(tmp_path / "cluster.yaml", *nodes), "-o", "markdown").stdout
    assert "```text" not in said
    assert said.endswith("The picture of the nodes is too large for a comment; `weighbridge fit` shows it.\n")


def pool(name: str, gpus: int | None, instance: str = "p5.48xlarge") -> dict[str, Any]:
    """A NodePool of Karpenter whose limit is this many GPUs."""
    requirements = [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": [instance]}]
    spec = {"template": {"spec": {"requirements": requirements}}, **({"limits": {GPU: gpus}} if gpus is not None else {})}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": spec}


@pytest.mark.parametrize(
    ("pools", "gpus", "named"),
    [
        ([pool("p", 8)], (4, 4), []),
        ([pool("p", 8)], (4, 8), ["Deployment ai/b"]),
        ([pool("p", 8)], (4, 8, 4), ["Deployment ai/b"]),
        ([pool("p", 8), pool("q", 4)], (4, 8), []),
        ([pool("p", 8), pool("q", 4)], (4, 4, 8), ["Deployment ai/c"]),
        # One without a limit, and one with another limit.
        ([pool("p", 8), pool("q", None)], (8, 8), []),
        ([pool("p", None)], (8, 8), []),
    ],
)
def test_objects_that_wait_for_nodes_count_together_against_the_limits_of_pools(
    tmp_path: Path, pools: list[dict[str, Any]], gpus: tuple[int, ...], named: list[str]
) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("cpu", 0), *pools)
    app = write(tmp_path / "app.yaml", *(deployment(name, count) for name, count in zip("abc", gpus, strict=False)))
    said = found(app, "--cluster", cluster)
    assert list(said) == named
    names = ", ".join(f"NodePool {one['metadata']['name']}" for one in pools)
    most = sum(one["spec"].get("limits", {}).get(GPU, 0) for one in pools)
    assert all(message.endswith(f"{names} may have at most {most}") for message in said.values())


def test_services_of_several_systems_count_together_against_the_limit_of_a_pool(tmp_path: Path) -> None:
    path = tmp_path / "app.yaml"
    path.write_text("---\n".join((LLMKUBE, LLMAZ)))
    for limit, named in ((1, ["Service ai/az"]), (2, [])):
        cluster = write(tmp_path / f"cluster-{limit}.yaml", node("cpu", 0), pool("p", limit))
        assert list(found(str(path), "--cluster", cluster)) == named


def test_one_object_alone_is_held_to_the_limit_by_its_own_placement(tmp_path: Path) -> None:
    cluster = write(tmp_path / "cluster.yaml", node("cpu", 0), pool("p", 8))
    app = write(tmp_path / "app.yaml", deployment("a", 8, 2), deployment("b", 0))
    assert found(app, "--cluster", cluster) == {}
    assert "leaves room for 1 of 2" in run("lint", app, "--cluster", cluster).stdout
