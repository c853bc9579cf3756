"""A list has the same target model twice.

The CRDs of InferenceModel and InferenceModelRewrite allow it. A picker treats each entry separately, so the model gets the sum of both
weights. Keep one entry with the sum of the weights.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencemodel_types.go.
"""

from weighbridge.policies.families.inference_extension.rulebook import Said, Targets, Violation, field, targets


@targets.warning(good="accepts-targets-that-differ", bad="warns-of-a-target-that-is-listed-twice")
def check(targets: Targets) -> Said:
    for listed in targets:
        seen: dict[str, str] = {}
        for target in listed:
            if target.name in seen:
                message = f'"{target.name}" is at {seen[target.name]} already'
                yield Violation(target.name_path, message, "keep one entry and give it the sum of the weights", target.name)
            elif target.name:
                seen[target.name] = field(target.path)
