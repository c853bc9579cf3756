"""Fields of a Model that Weighbridge fills in if the author left them empty.

- `hardware.accelerator`: a Model that requests a GPU and has the CRD's default ``cpu`` gets the accelerator of its vendor and runtime, so
  that the readiness check looks for a GPU. Weighbridge keeps a ``cpu`` that the author may have written, and LLMKUBE-014 warns of it. In
  `kubectl create` and other plain requests the CRD's default looks like a written value.
- `hardware.gpu.resourceName`: the resource of this cluster's device plugin, if it isn't the operator's default. For the vendors amd and
  intel Weighbridge also writes the operator's default, because without it the readiness check looks for another resource than the pod
  requests. For nvidia it never writes the default: a Model with a resourceName can't be served on a MIG partition.
- `prefetchTolerations`: see `prefetch`.

Source: LLMKube v0.9.19, internal/controller/model_webhook.go, pkg/apiutil/gpu.go, internal/controller/gpu_resources.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.llmkube.fill.prefetch import fill_prefetch_tolerations
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.subject.gpu import (
    KNOWN_RESOURCES,
    VENDOR_ACCELERATOR,
    GpuRequest,
    gpu_request,
    operator_resource,
)
from weighbridge.policies.ground.objects import JSONObject, Path, lookup
from weighbridge.policies.ground.request import Request

ACCELERATOR: Final[Path] = ("spec", "hardware", "accelerator")
_RESOURCE_NAME: Final[Path] = ("spec", "hardware", "gpu", "resourceName")
_UNSET: Final = "cpu"
_NO_LONGER: Final = "the value that was filled in before no longer fits the GPU"


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a Model."""
    operator = operator_of(facts, config)

    def accelerator(model: JSONObject) -> Filling | None:
        return _accelerator(gpu_request(model))

    def resource_name(model: JSONObject) -> Filling | None:
        return _resource_name(gpu_request(model), operator, facts, config)

    if isinstance(lookup(mutation.object, ACCELERATOR[:-1]), dict):
        settle_value(mutation, ACCELERATOR, accelerator, no_longer=_NO_LONGER, unset=_UNSET)
        settle_value(mutation, _RESOURCE_NAME, resource_name, no_longer=_NO_LONGER)
    fill_prefetch_tolerations(mutation, request, operator, facts, config)


def accelerator_of(gpu: GpuRequest) -> str:
    """The accelerator that belongs to a GPU's vendor and runtime; empty if none does."""
    return gpu.runtime if gpu.vendor == "amd" else VENDOR_ACCELERATOR.get(gpu.vendor, "")


def _accelerator(gpu: GpuRequest) -> Filling | None:
    """What to fill in if the accelerator is left open; `None` if it isn't, or if no accelerator follows from the GPU."""
    if not gpu.wanted or gpu.accelerator != _UNSET:
        return None
    value = accelerator_of(gpu)
    if not value:
        return None
    of = f"gpu.runtime {gpu.runtime}" if gpu.vendor == "amd" else f"gpu.vendor {gpu.vendor}"
    return Filling(value, "vendor table", f"{of}; the readiness check uses the accelerator")


def _resource_name(gpu: GpuRequest, operator: KnownOperator, facts: Facts, config: Configuration) -> Filling | None:
    """What to fill in if the resource name is left open; `None` if it isn't, if the operator's own is right, or if none may be filled
    in.
    """
    found = _name_for(gpu, operator, facts, config)
    return found if found is not None and config.fills_in_resource(str(found.value)) else None


def _name_for(gpu: GpuRequest, operator: KnownOperator, facts: Facts, config: Configuration) -> Filling | None:
    if not gpu.wanted or gpu.resource_name or gpu.claims:
        return None
    configured = config.settings_of(LLMKube).resource_names.of(gpu.vendor)
    own = operator_resource(gpu.vendor, gpu.runtime, operator)
    # The configured resource counts, unless the cluster is known to have only the operator's own: the configured one would then be refused.
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
    """Whether some node offers a resource, or may offer it later, as far as is known."""
    if facts.inventory is None or config.most_expected(resource) > 0:
        return True
    from weighbridge.policies.facts.expected import nodes_of_pools

    there = resource in facts.inventory.offers or resource in facts.inventory.held_back
    return there or any(node.amounts.get(resource, 0) > 0 for node in nodes_of_pools(facts.objects))


def _served(gpu: GpuRequest, own: str, facts: Facts, config: Configuration) -> str:
    """The only resource under which this cluster offers the vendor's GPUs, if it doesn't offer the operator's own; empty if in doubt."""
    if facts.inventory is None or config.most_expected(own) > 0:
        return ""
    offered = {**facts.inventory.offers, **facts.inventory.held_back}
    if own in offered:
        return ""
    others = [name for name in KNOWN_RESOURCES.get(gpu.vendor, ()) if name in offered]
    return others[0] if len(others) == 1 else ""
