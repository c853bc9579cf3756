"""The memory of an accelerator class lacks its unit.

`memoryGB` is a quantity: `80` are 80 bytes. OME then reads 0 GB where a service asks for memory, and its controller counts every node as
large enough. Write `80Gi`.

Source: OME v0.1.5 pkg/controller/v1beta1/acceleratorclass/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import amount, part
from policies.findings import Finding, Severity
from policies.request import Request

_GIBI: Final = 1024**3


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    given = part(spec_of(request.object), "capabilities").get("memoryGB")
    found = amount(given)
    if found is not None and found.value() < _GIBI:
        expected = f"{given}Gi" if str(given).isdigit() and str(given) != "0" else "an amount such as 80Gi"
        yield RULE.finding(
            ("spec", "capabilities", "memoryGB"),
            f"OME reads {given} as {found.value()} bytes, and so as 0 GB",
            found=str(given),
            expected=expected,
        )


RULE = Rule(
    id="OME-026",
    name="class-memory-without-unit",
    severity=Severity.ERROR,
    kinds=("AcceleratorClass",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/acceleratorclass/controller.go",
    check=_check,
    good="""\
discovery: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
capabilities: {memoryGB: 80Gi}
""",
    bad="""\
discovery: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
capabilities: {memoryGB: 80}
""",
)
