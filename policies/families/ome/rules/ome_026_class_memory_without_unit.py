"""The memory of an accelerator class lacks its unit.

`memoryGB` is a quantity: `80` are 80 bytes. OME then reads 0 GB when a service requests memory, and its controller counts every node as
large enough. Write `80Gi`.

Source: OME v0.1.5, pkg/controller/v1beta1/acceleratorclass/controller.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import AcceleratorClass, Said, Violation, amount, classes

_GIBI: Final = 1024**3


@classes.error(good="accepts-a-class-of-eighty-gigabytes", bad="refuses-a-class-of-eighty-bytes")
def check(accelerator: AcceleratorClass) -> Said:
    written = accelerator.capabilities.get("memoryGB")
    found = amount(written)
    if found is not None and found.value() < _GIBI:
        yield Violation(
            ("spec", "capabilities", "memoryGB"),
            f"OME reads {written} as {found.value()} bytes, and so as 0 GB",
            found=str(written),
            expected=f"{written}Gi" if str(written).isdigit() and str(written) != "0" else "an amount such as 80Gi",
        )
