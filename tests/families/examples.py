"""The good and bad examples of rules, as objects that are judged."""

from __future__ import annotations

import yaml

from policies.engine import decide
from policies.facts import from_objects
from policies.families.configuration import parse
from policies.families.family import Family, Rule
from policies.findings import Decision
from policies.objects import GroupVersionKind, JSONObject, Operation
from policies.request import Request
from webhook.inputs.facts import bundled_definitions

#: A cluster in which each rule's good example is good and its bad one bad.
CLUSTER: list[JSONObject] = [
    {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "gpus"},
        "status": {"allocatable": dict.fromkeys(("nvidia.com/gpu", "amd.com/gpu", "devic.es/dri-render", "gpu.intel.com/i915"), "8")},
    },
    {
        "apiVersion": "inference.networking.x-k8s.io/v1alpha2",
        "kind": "InferencePool",
        "metadata": {"name": "pool", "namespace": "default"},
    },
    {
        "apiVersion": "inference.networking.x-k8s.io/v1alpha2",
        "kind": "InferenceModel",
        "metadata": {"name": "older", "namespace": "default"},
        "spec": {"modelName": "taken", "poolRef": {"name": "pool"}},
    },
]


def decided(family: Family, rule: Rule, spec: str, **settings: str) -> Decision:
    """The verdict on an example, with settings of the configuration besides the example's own."""
    kind = next(kind for kind in family.kinds if kind.gvk.kind == rule.kinds[0])
    example = yaml.safe_load(spec)
    # Where the name matters, the example is more than a spec.
    parts = example if "spec" in example else {"spec": example}
    metadata = {"name": "example", "namespace": "default", **parts.get("metadata", {})}
    obj = {"apiVersion": kind.gvk.api_version, "kind": kind.gvk.kind, **parts, "metadata": metadata}
    facts = from_objects([*CLUSTER, *filter(None, yaml.safe_load_all(rule.beside))], bundled_definitions())
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    request = Request("example", Operation.CREATE, gvk, obj, namespace=metadata["namespace"], name=metadata["name"])
    return decide(request, facts, parse({**(yaml.safe_load(rule.config) or {}), **settings}))
