"""The GPU can't compute in the requested precision.

MI100, MI210 and MI250X don't support fp8, and only MI350X and MI355X support fp4. Of NVIDIA's GPUs, A100 and older ones don't support fp8,
and V100 and T4 don't support bf16. The engine fails at start, or converts the weights and is slow. Choose another precision or another
GPU.

Source: ROCm documentation 7.0, data types and precision support; NVIDIA CUDA documentation, compute capabilities.
"""

from typing import Final

from weighbridge.policies.families.aim.rulebook import Said, Template, Violation, templates, text

_BEFORE_FP8: Final = frozenset(
    {"MI100", "MI210", "MI250X", "V620", "V710", "W6800", "W6800X", "W6900X", "W7800", "W7900", "RX6800", "RX6900", "RX7900"}
)
_NVIDIA_BEFORE_FP8: Final = frozenset({"A100", "A10", "A30", "A40", "V100", "T4"})
#: The GPUs that lack a precision.
LACKING: Final = {
    "fp8": _BEFORE_FP8 | _NVIDIA_BEFORE_FP8,
    "fp4": _BEFORE_FP8 | _NVIDIA_BEFORE_FP8 | {"MI300A", "MI300X", "MI308X", "MI325X", "RX9070", "H100", "H200", "L4", "L40", "L40S"},
    "bf16": frozenset({"V100", "T4", "V620", "W6800", "W6800X", "W6900X", "RX6800", "RX6900"}),
}


@templates.warning(good="accepts-a-template-of-another-precision", bad="warns-of-fp4-on-an-mi300x")
def check(template: Template) -> Said:
    model, precision = template.model, text(template.spec, "precision")
    if model in LACKING.get(precision, ()):
        others = next((key for key in ("fp16", "bf16") if model not in LACKING.get(key, ())), "fp32")
        yield Violation(
            ("spec", "precision"),
            f"{model} has no {precision} arithmetic",
            found=precision,
            expected=f"such as {others}",
            hint="or request another GPU",
        )
