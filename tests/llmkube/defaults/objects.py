"""Services, Models and nodes as hypothesis draws them: few values each, chosen so that different values are filled in.

A value of the author never equals one that would be filled in, so the two can't be confused.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from weighbridge.policies.ground.objects import JSONObject

API_VERSION = "inference.llmkube.dev/v1alpha1"
NAMESPACE = "models"
SOURCES = ("https://example.com/m.gguf", "org/model", "hf://org/model", "pvc://weights/m.gguf", "s3://bucket/m.gguf")
RESOURCES = ("nvidia.com/gpu", "amd.com/gpu", "devic.es/dri-render", "gpu.intel.com/i915", "gpu.intel.com/xe")


def named(kind: str, name: str, spec: JSONObject) -> JSONObject:
    """An object of the group."""
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": name, "namespace": NAMESPACE}, "spec": spec}


def optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[JSONObject]:
    """A map in which each field may be missing."""
    return st.fixed_dictionaries({}, optional=fields)


GPU = st.fixed_dictionaries(
    {"count": st.sampled_from([1, 1, 2, 0]), "vendor": st.sampled_from(["nvidia", "amd", "intel"])},
    optional={
        "enabled": st.booleans(),
        "runtime": st.sampled_from(["vulkan", "rocm"]),
        "resourceName": st.sampled_from(["amd.com/gpu", "squat.ai/dri-render"]),
    },
)
HARDWARE = st.one_of(
    st.fixed_dictionaries({"gpu": GPU}),
    st.fixed_dictionaries({"gpu": GPU}),
    optional(accelerator=st.sampled_from(["cpu", "metal", "cuda", "rocm", "vulkan"]), gpu=GPU),
)
MODEL = st.fixed_dictionaries(
    {"source": st.sampled_from(SOURCES), "hardware": HARDWARE},
    optional={"files": st.just(["m.gguf"]), "prefetch": st.booleans()},
)
TOLERATION = st.sampled_from(
    [
        {"key": "team", "operator": "Equal", "value": "a", "effect": "NoSchedule"},
        {"key": "nvidia.com/gpu", "operator": "Exists"},
        {"key": "other", "operator": "Exists", "effect": "NoExecute"},
    ]
)
BARE_SERVICE = st.fixed_dictionaries(
    {"modelRef": st.sampled_from(["first", "second"])},
    optional={
        "runtime": st.sampled_from(["llamacpp", "llamacpp", "vllm", "sglang", "tgi"]),
        "nodeSelector": st.sampled_from([{"pool": "a"}, {"pool": "b"}]),
        "resources": optional(gpu=st.sampled_from([0, 1, 4])),
    },
)
FULL_SERVICE = st.fixed_dictionaries(
    {"modelRef": st.sampled_from(["first", "second"])},
    optional={
        "runtime": st.sampled_from(["llamacpp", "llamacpp-router", "vllm", "sglang", "tgi", "generic", "personaplex"]),
        "image": st.just("example.com/author:v1"),
        "tolerations": st.lists(TOLERATION, max_size=2),
        "nodeSelector": st.sampled_from([{"pool": "a"}, {"pool": "b"}]),
        "runtimeClassName": st.just("kata"),
        "containerPort": st.sampled_from([9000, 8080]),
        "endpoint": optional(port=st.sampled_from([9000, 9001]), type=st.just("LoadBalancer")),
        "resources": optional(gpu=st.sampled_from([0, 1, 4]), cpu=st.just("2"), memory=st.just("8Gi")),
        "podSecurityContext": optional(fsGroup=st.just(1000), supplementalGroups=st.lists(st.sampled_from([44, 107]), unique=True)),
        "skipModelInit": st.just(False),
    },
)
SERVICE = st.one_of(BARE_SERVICE, FULL_SERVICE)
TAINT = st.fixed_dictionaries(
    {
        "key": st.sampled_from(["nvidia.com/gpu", "amd.com/gpu", "pool", "sku", "node.kubernetes.io/not-ready"]),
        "effect": st.sampled_from(["NoSchedule", "NoExecute", "PreferNoSchedule"]),
    },
    optional={"value": st.sampled_from(["true", "present", "gpu"])},
)


@st.composite
def nodes(draw: st.DrawFn) -> list[JSONObject]:
    """A small cluster."""
    found = []
    for index in range(draw(st.sampled_from([2, 3, 1, 0]))):
        amounts = draw(st.dictionaries(st.sampled_from(RESOURCES), st.sampled_from(["8", "1"]), min_size=1, max_size=3))
        found.append(
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": f"node-{index}", "labels": {"pool": draw(st.sampled_from(["a", "b"]))}},
                "spec": {"taints": draw(st.lists(TAINT, max_size=2, unique_by=lambda taint: taint["key"]))},
                "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110", **amounts}},
            }
        )
    return found


CONFIGURATION = optional(
    llmkube=optional(
        renderGroup=st.just(991),
        version=st.sampled_from(["v0.9.5", "v0.9.19"]),
        images=st.sampled_from([{"vllm/amd": "example.com/vllm-amd:v1"}, {"generic": "example.com/generic:v1"}]),
        runtimeClassNames=st.just({"nvidia": "nvidia"}),
        resourceNames=st.just({"intel": "gpu.intel.com/xe"}),
    ),
    tolerations=st.just({"nvidia.com/gpu": [{"key": "spot", "operator": "Exists"}]}),
)
