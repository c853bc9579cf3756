"""One target model stands twice in the list.

The CRDs of InferenceModel and InferenceModelRewrite allow it, and each entry is drawn with its own weight, so the shares aren't what they
look like. Keep one entry and give it the sum of the weights.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencemodel_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.inference_extension.subject.targets import target_lists
from weighbridge.policies.ground.objects import field


@objects.warning(
    kinds=("InferenceModel", "InferenceModelRewrite"),
    good="refuses-some-weights-without-others",
    bad="warns-of-a-target-that-stands-twice",
)
def check(given: Given) -> Said:
    for targets in target_lists(given.object):
        seen: dict[str, str] = {}
        for target in targets:
            if target.name in seen:
                yield Violation(
                    target.name_path,
                    f'"{target.name}" stands at {seen[target.name]} already',
                    found=target.name,
                    hint="keep one entry and give it the sum of the weights",
                )
            elif target.name:
                seen[target.name] = field(target.path)
