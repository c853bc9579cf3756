"""What is filled into a Model that its author left open.

- `hardware.accelerator`: a Model that asks for a GPU and stands at ``cpu`` (which the CRD puts there when nothing is written, and which
  upstream's own defaulter takes for unset) gets the accelerator of its vendor and runtime, so that its readiness check looks for a GPU.
- `hardware.gpu.resourceName`: the name that this cluster's device plugin serves, where that isn't the operator's own; for vendors amd and
  intel also the operator's own, since without it the readiness check looks for another resource than the pod requests. For nvidia the
  operator's own is never written down: a Model with a resourceName can't be served on a MIG partition.
- `prefetchTolerations`: see `prefetch`.

Source: LLMKube v0.9.19, internal/webhook/v1alpha1/model_webhook.go, pkg/apiutil/gpu.go, internal/controller/gpu_resources.go.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.expected import nodes_of_pools
from policies.families.filling.authorship import is_written
from policies.families.filling.value import Filling
from policies.families.llmkube.defaults.prefetch import fill_prefetch_tolerations
from policies.families.llmkube.operator import Operator, operator_of
from policies.families.llmkube.settings import LLMKube
from policies.families.llmkube.subject.gpu import KNOWN_RESOURCES, VENDOR_ACCELERATOR, GpuRequest, gpu_request, operator_resource
from policies.families.mutation import Mutation
from policies.objects import JSONObject, Path, lookup
from policies.request import Request

_ACCELERATOR: Final[Path] = ("spec", "hardware", "accelerator")
_RESOURCE_NAME: Final[Path] = ("spec", "hardware", "gpu", "resourceName")
_UNSET: Final = "cpu"
_NO_LONGER: Final = "the value that was filled in before no longer fits the GPU"


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a Model."""
    gpu = gpu_request(mutation.object)
    if gpu is None:
        return
    operator = operator_of(facts, config)
    left_open = _reopened(mutation.object, gpu, gpu_request(request.old_object), operator, facts, config)
    _settle(mutation, _ACCELERATOR, _accelerator(left_open), ours=left_open.accelerator != gpu.accelerator, unset=_UNSET)
    name = _resource_name(left_open, operator, facts, config)
    _settle(mutation, _RESOURCE_NAME, name, ours=left_open.resource_name != gpu.resource_name)
    fill_prefetch_tolerations(mutation, request, operator, facts, config)


def _settle(mutation: Mutation, path: Path, filling: Filling | None, *, ours: bool, unset: str | None = None) -> None:
    """Bring one field up to date: fill it where it is open, and let go of what was ours (`ours`) where nothing follows any more.

    `unset` is the value that the CRD writes where nothing is written. Anything else that stands there is its author's.
    """
    standing = lookup(mutation.object, path)
    if not ours and standing not in (None, unset):
        return
    if filling is not None:
        mutation.replace(path, filling.value, source=filling.source, reason=filling.reason)
    elif ours and unset is not None:
        mutation.replace(path, unset, source="vendor table", reason=_NO_LONGER)
    elif ours:
        mutation.remove(path, source="vendor table", reason=_NO_LONGER)


def _reopened(
    obj: JSONObject, gpu: GpuRequest, old: GpuRequest | None, operator: Operator, facts: Facts, config: Configuration
) -> GpuRequest:
    """The request without the values that we filled in before and that the update has left."""
    if old is None:
        return gpu
    accelerator = _accelerator(replace(old, accelerator=_UNSET))
    same = accelerator is not None and gpu.accelerator == old.accelerator == accelerator.value
    if same and not is_written(obj, _ACCELERATOR):
        gpu = replace(gpu, accelerator=_UNSET)
    name = _resource_name(replace(old, resource_name=""), operator, facts, config)
    if name is not None and gpu.resource_name == old.resource_name == name.value and not is_written(obj, _RESOURCE_NAME):
        gpu = replace(gpu, resource_name="")
    return gpu


def _accelerator(gpu: GpuRequest) -> Filling | None:
    """What to fill in where the accelerator is left open; `None` where it isn't, or nothing follows."""
    value = gpu.runtime if gpu.vendor == "amd" else VENDOR_ACCELERATOR.get(gpu.vendor, "")
    if not gpu.wanted or gpu.accelerator != _UNSET or not value:
        return None
    of = f"gpu.runtime {gpu.runtime}" if gpu.vendor == "amd" else f"gpu.vendor {gpu.vendor}"
    return Filling(value, "vendor table", f"{of}; the readiness check goes by the accelerator")


def _resource_name(gpu: GpuRequest, operator: Operator, facts: Facts, config: Configuration) -> Filling | None:
    """What to fill in where the resource name is left open; `None` where it isn't, the operator's own will do, or none may be filled in."""
    found = _name_for(gpu, operator, facts, config)
    return found if found is not None and config.fills_in_resource(str(found.value)) else None


def _name_for(gpu: GpuRequest, operator: Operator, facts: Facts, config: Configuration) -> Filling | None:
    if not gpu.wanted or gpu.resource_name or gpu.claims:
        return None
    configured = config.settings_of(LLMKube).resource_names.of(gpu.vendor)
    own = operator_resource(gpu.vendor, gpu.runtime, operator)
    # What is configured counts unless the cluster is known to have the operator's own resource and not this one: it would be refused.
    if configured and (_may_be_there(configured, facts, config) or not _may_be_there(own, facts, config)):
        return Filling(configured, "configuration", f"llmkube.resourceNames.{gpu.vendor}")
    served = _served(gpu, own, facts, config)
    if served:
        nodes = f"{len(facts.inventory.nodes_with(served))} node(s)" if facts.inventory else "the cluster"
        return Filling(served, "cluster", f"served by {nodes}; no node serves {own}")
    if gpu.vendor == "nvidia":
        return None
    runtime = f", gpu.runtime {gpu.runtime}" if gpu.vendor == "amd" and gpu.runtime else ""
    return Filling(own, "vendor table", f"gpu.vendor {gpu.vendor}{runtime}")


def _may_be_there(resource: str, facts: Facts, config: Configuration) -> bool:
    """Whether some node offers a resource or may come to, as far as is known."""
    if facts.inventory is None or config.most_expected(resource) > 0:
        return True
    there = resource in facts.inventory.offers or resource in facts.inventory.held_back
    return there or any(node.amounts.get(resource, 0) > 0 for node in nodes_of_pools(facts.objects))


def _served(gpu: GpuRequest, own: str, facts: Facts, config: Configuration) -> str:
    """The one name under which this cluster serves the vendor's GPUs where it doesn't serve the operator's; empty where in doubt."""
    if facts.inventory is None or config.most_expected(own) > 0:
        return ""
    offered = {**facts.inventory.offers, **facts.inventory.held_back}
    if own in offered:
        return ""
    others = [name for name in KNOWN_RESOURCES.get(gpu.vendor, ()) if name in offered]
    return others[0] if len(others) == 1 else ""
