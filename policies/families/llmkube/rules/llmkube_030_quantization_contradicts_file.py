"""The quantization differs from the file's.

The operator never reads `spec.quantization`: the engine serves the file as it is. If the file's name has one
quantization and the field another, one of them is wrong. Write the file's quantization, or remove the field.

Source: LLMKube v0.9.19, internal/controller, which never reads the field.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models, text
from weighbridge.policies.families.llmkube.subject.fileset import file_set
from weighbridge.policies.families.weights import quantization_in


@models.warning(topic="Models: source, files and download", good="accepts-a-cpu-model", bad="warns-of-another-quantization-than-the-files")
def check(model: Model) -> Said:
    written = text(model.spec, "quantization")
    file = file_set(model.object).primary or text(model.spec, "source")
    stated, held = quantization_in(written), quantization_in(file)
    if stated and held and stated != held:
        said = f'{stated} has no effect; the file is {held}: "{file}"'
        yield Violation(("spec", "quantization"), said, found=written, expected=held)
