"""What a service's container requests, and the operator's panics at amounts that aren't quantities.

It parses `cpu`, `memory` and `hostMemory` with a function that panics: the reconcile ends there, with neither Deployment nor status. An
`ephemeralStorage` that can't be parsed is ignored. Source: LLMKube v0.9.19, internal/controller/deployment_builder.go
(buildContainerResources).
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.service.workload import Workload
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import Quantity, QuantityError, must_parse_panic
from weighbridge.policies.pods.requests import read_amount

_RESOURCES: Final = "spec.template.spec.containers[0].resources"


def unreadable(resources: JSONObject) -> str:
    """The first panic at a service's amounts, in the order in which the operator reads them; empty if there is none."""
    for field in ("cpu", "hostMemory" if text(resources, "hostMemory") else "memory"):
        value = text(resources, field)
        if value and (found := must_parse_panic(value)):
            return found
    return ""


def resources(workload: Workload) -> JSONObject:
    """The container's resources; ask `unreadable` first, since amounts that can't be read are left out here."""
    gpus, limits, requests = workload.gpus, dict[str, str](), dict[str, str]()
    if gpus.count > 0:
        limits[gpus.resource] = str(gpus.count)
        _record_gpus(workload)
    asked = part(workload.spec, "resources")
    for resource, field in (("cpu", "cpu"), ("memory", "hostMemory" if text(asked, "hostMemory") else "memory")):
        amount = _read(text(asked, field))
        if amount is not None:
            requests[resource] = str(amount)
            reason = "a request alone: the container has no limit of it"
            workload.record(f"{_RESOURCES}.requests[{resource}]", str(amount), workload.of_service(f"spec.resources.{field}"), reason)
    storage = _read(text(asked, "ephemeralStorage"))
    if storage is not None:
        requests["ephemeral-storage"] = limits["ephemeral-storage"] = str(storage)
        source = workload.of_service("spec.resources.ephemeralStorage")
        workload.record(f"{_RESOURCES}.limits[ephemeral-storage]", str(storage), source, "request and limit")
    found: JSONObject = {"limits": limits, "requests": requests}
    if gpus.claims:
        found["claims"] = [{"name": text(claim, "name")} for claim in gpus.claims]
        workload.record(
            f"{_RESOURCES}.claims", found["claims"], workload.of_model("spec.hardware.gpu.resourceClaims"), _claims_reason(workload)
        )
    return {kind: amounts for kind, amounts in found.items() if amounts}


def _read(value: str) -> Quantity | None:
    try:
        return read_amount(value) if value else None
    except QuantityError:
        return None


def _record_gpus(workload: Workload) -> None:
    """Record how many GPUs of a resource are requested, and the origin of both."""
    gpus = workload.gpus
    path = f"{_RESOURCES}.limits[{gpus.resource}]"
    kind, _, field = gpus.count_from.partition(" ")
    source = workload.of_model(field) if kind == "Model" else workload.of_service(field)
    in_vain = part(workload.spec, "resources").get("gpu") if kind == "Model" else None
    reason = "the Model's count wins" if in_vain is not None and in_vain != gpus.count else "the only count that is given"
    workload.record(path, str(gpus.count), source, f"{reason} over resources.gpu {in_vain}" if reason.startswith("the Model") else reason)
    block = part(workload.model, "spec", "hardware", "gpu")
    if gpus.sharing == "partitioned":
        source, reason = workload.of_service("spec.resources.gpuSharing.profile"), "a MIG partition has a resource of its own"
    elif text(block, "resourceName").strip():
        source, reason = workload.of_model("spec.hardware.gpu.resourceName"), "the Model names the resource"
    else:
        asked = f"vendor {gpus.vendor}" + (f" with runtime {gpus.runtime}" if gpus.runtime else "")
        source, reason = workload.operator.name, f"the operator's resource for {asked if gpus.has_block else 'a Model without a GPU block'}"
    workload.record(f"{_RESOURCES}.limits", gpus.resource, source, reason)


def _claims_reason(workload: Workload) -> str:
    return "the Model's claims, besides the counted GPUs" if workload.gpus.count > 0 else "the Model's claims"
