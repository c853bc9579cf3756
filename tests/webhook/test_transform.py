"""The parts of a cluster's objects that are kept."""

from __future__ import annotations

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.transform import Transform


def _deployment(image: str) -> JSONObject:
    env = [{"name": "LLMKUBE_INTEL_GPU_RESOURCE", "value": "gpu.intel.com/xe"}, {"name": "PASSWORD", "value": "secret"}]
    container = {"name": "manager", "image": image, "args": ["--dri-render-gid=991"], "env": env, "resources": {}}
    spec = {"replicas": 1, "template": {"spec": {"containers": [{"name": "sidecar", "image": "proxy"}, container]}}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "namespace": "n"}, "spec": spec}


def test_of_an_operator_its_flags_are_kept_and_nothing_that_may_be_secret() -> None:
    kept = Transform()(_deployment("ghcr.io/defilantech/llmkube-controller:0.9.19"))
    assert kept is not None
    (container,) = kept["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["--dri-render-gid=991"]
    assert container["env"] == [{"name": "LLMKUBE_INTEL_GPU_RESOURCE", "value": "gpu.intel.com/xe"}]
    assert "secret" not in str(kept)


def test_of_another_deployment_nothing_is_kept_that_no_pool_chooses_by() -> None:
    deployment = _deployment("nginx:1")
    assert Transform()(deployment) is None
    template = deployment["spec"]["template"]
    template["metadata"] = {"labels": {"app": "nginx"}, "annotations": {"token": "secret"}}
    template["spec"]["containers"][1]["ports"] = [{"containerPort": 80, "name": "web"}]
    kept = {"metadata": {"labels": {"app": "nginx"}}, "spec": {"containers": [{"name": "manager", "ports": [{"containerPort": 80}]}]}}
    assert Transform()(deployment) == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "n"},
        "spec": {"template": kept},
    }


def test_what_several_families_read_of_one_object_is_kept_together() -> None:
    deployment = _deployment("ghcr.io/defilantech/llmkube-controller:0.9.19")
    template = deployment["spec"]["template"]
    template["metadata"] = {"labels": {"app": "llmkube"}}
    for port, container in zip((9000, 8443), template["spec"]["containers"], strict=True):
        container["ports"] = [{"containerPort": port}]
    kept = Transform()(deployment)
    assert kept is not None
    assert kept["spec"]["template"]["metadata"] == {"labels": {"app": "llmkube"}}
    sidecar, manager = kept["spec"]["template"]["spec"]["containers"]
    assert (manager["args"], manager["ports"]) == (["--dri-render-gid=991"], [{"containerPort": 8443}])
    assert sidecar == {"name": "sidecar", "ports": [{"containerPort": 9000}]}
    assert "secret" not in str(kept)


def test_of_a_service_the_ports_are_kept_that_any_family_reads() -> None:
    ports = [{"name": "grpc", "port": 9002, "nodePort": 30002}, {"name": "http", "port": 80}]
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s", "namespace": "n"}}
    kept = Transform()({**service, "spec": {"type": "NodePort", "clusterIP": "10.0.0.1", "ports": ports}})
    assert kept is not None
    assert kept["spec"] == {"type": "NodePort", "ports": [{"nodePort": 30002, "port": 9002}, {"port": 80}]}


def test_a_crd_of_nobody_is_not_kept() -> None:
    kind = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    crd = {**kind, "metadata": {"name": "x"}, "spec": {"group": "x.dev"}}
    assert Transform()(crd) is None
    assert Transform()({**crd, "spec": {"group": "inference.llmkube.dev"}}) is not None
