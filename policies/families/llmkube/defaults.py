"""What is filled into a Model that its author left open.

- `hardware.accelerator`: a Model that asks for a GPU and stands at ``cpu`` (which the CRD puts there when nothing is written, and which
  upstream's own defaulter takes for unset) gets the accelerator of its vendor and runtime, so that its readiness check looks for a GPU.
- `hardware.gpu.resourceName`: the name that this cluster's device plugin serves, where that isn't the operator's own; for vendors amd and
  intel also the operator's own, since without it the readiness check looks for another resource than the pod requests. For nvidia the
  operator's own is never written down: a Model with a resourceName can't be served on a MIG partition.

Source: LLMKube v0.9.19, internal/webhook/v1alpha1/model_webhook.go, pkg/apiutil/gpu.go, internal/controller/gpu_resources.go.
"""

from __future__ import annotations

from policies.config import Configuration
from policies.facts import Facts
from policies.families.llmkube.gpu import KNOWN_RESOURCES, VENDOR_ACCELERATOR, GpuRequest, gpu_request
from policies.families.mutation import Mutation
from policies.request import Request


def model(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a Model."""
    gpu = gpu_request(mutation.object)
    if gpu is None or not gpu.wanted:
        return
    _accelerator(mutation, gpu)
    if not gpu.resource_name and not gpu.claims:
        _resource_name(mutation, gpu, facts, config)


def _accelerator(mutation: Mutation, gpu: GpuRequest) -> None:
    accelerator = gpu.runtime if gpu.vendor == "amd" else VENDOR_ACCELERATOR.get(gpu.vendor, "")
    if gpu.accelerator == "cpu" and accelerator:
        of = f"gpu.runtime {gpu.runtime}" if gpu.vendor == "amd" else f"gpu.vendor {gpu.vendor}"
        mutation.replace(
            ("spec", "hardware", "accelerator"),
            accelerator,
            source="vendor table",
            reason=f"{of}; the readiness check goes by the accelerator",
        )


def _resource_name(mutation: Mutation, gpu: GpuRequest, facts: Facts, config: Configuration) -> None:
    path = ("spec", "hardware", "gpu", "resourceName")
    configured = config.llmkube.resource_names.of(gpu.vendor)
    if configured:
        mutation.fill(path, configured, source="configuration", reason=f"llmkube.resourceNames.{gpu.vendor}")
        return
    served = _served(gpu, facts)
    if served:
        nodes = f"{len(facts.inventory.nodes_with(served))} node(s)" if facts.inventory else "the cluster"
        mutation.fill(path, served, source="cluster", reason=f"served by {nodes}; {gpu.operator_resource} by none")
    elif gpu.vendor != "nvidia":
        runtime = f", gpu.runtime {gpu.runtime}" if gpu.vendor == "amd" and gpu.runtime else ""
        mutation.fill(path, gpu.operator_resource, source="vendor table", reason=f"gpu.vendor {gpu.vendor}{runtime}")


def _served(gpu: GpuRequest, facts: Facts) -> str:
    """The one name under which this cluster serves the vendor's GPUs where it doesn't serve the operator's; empty where in doubt."""
    if facts.inventory is None or gpu.operator_resource in facts.inventory.offers:
        return ""
    others = [name for name in KNOWN_RESOURCES.get(gpu.vendor, ()) if name in facts.inventory.offers]
    return others[0] if len(others) == 1 else ""
