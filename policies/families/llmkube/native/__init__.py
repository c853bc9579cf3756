"""Rules and fill-ins of LLMKube as the API server can do them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.llmkube.native.models import MODELS
from weighbridge.policies.families.llmkube.native.others import OTHERS
from weighbridge.policies.families.llmkube.native.routers import ROUTERS
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.subject.gpu import VENDOR_RESOURCE
from weighbridge.policies.families.native import FillIn, NativeFill, NativeRule
from weighbridge.policies.ground.go_text import json_text

TABLE: Final[Mapping[str, NativeRule]] = {**MODELS, **ROUTERS, **OTHERS}

_GO_DURATION: Final = "its message has Go's words for why a duration can't be read"
#: Why rules that look at one object alone aren't in the table.
LEFT: Final[Mapping[str, str]] = {
    "LLMKUBE-033": "it refuses with accelerator metal and warns without, and a policy does one of the two",
    "LLMKUBE-103": _GO_DURATION,
    "LLMKUBE-114": "it looks for the Secrets that are given with the router",
    "LLMKUBE-115": "it knows more ranges of private addresses than ip() of CEL",
    "LLMKUBE-116": "it takes addresses apart as the operator does, which url() of CEL doesn't",
    "LLMKUBE-134": _GO_DURATION,
}


def _resource_name(config: Configuration) -> NativeFill | str:
    """The configured resource of each vendor, as far as it doesn't depend on the nodes of the cluster."""
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
