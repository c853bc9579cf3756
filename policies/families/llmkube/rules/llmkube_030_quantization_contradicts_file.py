"""The quantization names another one than the file does.

`spec.quantization` is never read: what is served is the file. Where the file's name carries a quantization and the
field another, one of them misleads whoever reads the Model.

Source: LLMKube v0.9.19, internal/controller, which never reads the field.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.fileset import file_set
from weighbridge.policies.families.weights import quantization_in
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("Model",),
    good="accepts-a-cpu-model",
    bad="warns-of-another-quantization-than-the-files",
)
def check(given: Given) -> Said:
    spec = given.spec
    stated = quantization_in(text(spec, "quantization"))
    file = file_set(given.object).primary
    held = quantization_in(file or text(spec, "source"))
    if stated and held and stated != held:
        yield Violation(
            ("spec", "quantization"),
            f'{stated} has no effect; the file is {held}: "{file or text(spec, "source")}"',
            found=text(spec, "quantization"),
            expected=held,
        )
