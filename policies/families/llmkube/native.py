"""Rules and fill-ins of LLMKube as the API server can do them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.subject.gpu import VENDOR_RESOURCE
from weighbridge.policies.families.native import FillIn, NativeFill, NativeRule
from weighbridge.policies.ground.go_text import json_text

TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMKUBE-029": NativeRule(
        (
            Validation(
                "variables.stated.size() == 0",
                message_expression="'no pod requests ' + variables.stated.join(' and ') + ' of a Model'",
                field_path=".spec.resources",
            ),
        ),
        {
            "stated": "[object.?spec.resources.cpu.orValue('') != '' ? 'cpu' : '',"
            " object.?spec.resources.memory.orValue('') != '' ? 'memory' : ''].filter(name, name != '')"
        },
    ),
    "LLMKUBE-120": NativeRule(
        (
            Validation(
                "object.?spec.namespaceRef.orValue('none') != ''",
                message="is empty, so the quota limits no namespace",
                field_path=".spec.namespaceRef",
            ),
        )
    ),
    "LLMKUBE-122": NativeRule(
        (
            Validation(
                "object.?spec.costBudgetRef.orValue('') == ''",
                message="has no effect, since upstream has no cost budgets yet",
                field_path=".spec.costBudgetRef",
            ),
        )
    ),
    "LLMKUBE-150": NativeRule(
        (
            Validation(
                "object.?spec.dataResidencyTier.orValue('') == ''",
                message="is shown but not enforced; no request is routed by it",
                field_path=".spec.dataResidencyTier",
            ),
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
        return "depends on the nodes; name the resource in llmkube.resourceNames and in expectedResources"
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
