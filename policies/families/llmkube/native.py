"""Rules and fill-ins of LLMKube as the API server can do them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.subject.gpu import VENDOR_RESOURCE
from weighbridge.policies.families.native import FillIn, NativeFill, NativeRule, must, native
from weighbridge.policies.ground.go_text import json_text

TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMKUBE-029": native(
        must("variables.stated.size() == 0", ".spec.resources", says="'no pod requests ' + variables.stated.join(' and ') + ' of a Model'"),
        stated=(
            "[object.?spec.resources.cpu.orValue('') != '' ? 'cpu' : '',"
            " object.?spec.resources.memory.orValue('') != '' ? 'memory' : ''].filter(name, name != '')"
        ),
    ),
    "LLMKUBE-120": native(
        must("object.?spec.namespaceRef.orValue('none') != ''", ".spec.namespaceRef", "is empty, so the quota limits no namespace")
    ),
    "LLMKUBE-122": native(
        must("object.?spec.costBudgetRef.orValue('') == ''", ".spec.costBudgetRef", "has no effect, since upstream has no cost budgets yet")
    ),
    "LLMKUBE-150": native(
        must(
            "object.?spec.dataResidencyTier.orValue('') == ''",
            ".spec.dataResidencyTier",
            "is shown but not enforced; no request is routed by it",
        )
    ),
}


def _resource_name(config: Configuration) -> NativeFill | str:
    """The configured resource of each vendor, as far as no node can make it another one."""
    names = config.settings_of(LLMKube).resource_names
    wanted = {
        vendor: name
        for vendor in VENDOR_RESOURCE
        if (name := names.of(vendor)) and config.most_expected(name) > 0 and config.fills_in_resource(name)
    }
    if not wanted:
        return "goes by the nodes; name the resource in llmkube.resourceNames and in expectedResources"
    gpu = "object.?spec.hardware.gpu"
    return NativeFill(
        f"{json_text(wanted)}[?{gpu}.vendor.orValue('nvidia')]",
        {
            "asks-for-gpus": f"{gpu}.enabled.orValue(false) || {gpu}.count.orValue(0) > 0",
            "has-pods": "object.?spec.hardware.accelerator.orValue('cpu') != 'metal'",
            "claims-nothing": f"{gpu}.resourceClaims.orValue([]).size() == 0",
        },
    )


FILL_INS: Final[Mapping[str, FillIn]] = {"Model.spec.hardware.gpu.resourceName": _resource_name}
