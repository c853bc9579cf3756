"""What is kept of a cluster's objects."""

from __future__ import annotations

from policies.objects import JSONObject
from webhook.cluster.transform import Transform


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


def test_of_another_deployment_nothing_is_kept() -> None:
    assert Transform()(_deployment("nginx:1")) is None


def test_a_crd_of_nobody_is_not_kept() -> None:
    kind = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    crd = {**kind, "metadata": {"name": "x"}, "spec": {"group": "x.dev"}}
    assert Transform()(crd) is None
    assert Transform()({**crd, "spec": {"group": "inference.llmkube.dev"}}) is not None
