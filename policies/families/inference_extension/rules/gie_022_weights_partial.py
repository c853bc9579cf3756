"""Some targets of a rewrite have a weight, but others don't.

A picker chooses a target at random by the weights. Depending on the implementation it never chooses a target without a weight, or gives
all targets equal shares. The API server refuses an InferenceModel with such a list; the CRD of InferenceModelRewrite lacks the check,
although its description requires all or none. Give each target a weight, or none.

Source: Gateway API Inference Extension v1.5.0, apix/v1alpha2/inferencemodelrewrite_types.go.
"""

from weighbridge.policies.families.inference_extension.rulebook import Said, Targets, Violation, targets


@targets.warning(kinds=("InferenceModelRewrite",), good="accepts-a-canary", bad="warns-of-a-target-without-a-weight")
def check(targets: Targets) -> Said:
    for listed in targets:
        without = [target for target in listed if not target.has_weight]
        if without and len(without) < len(listed):
            yield Violation(
                (*without[0].path, "weight"),
                "is missing, and other targets of the rule have one",
                expected="a weight for each target, or for none",
                hint="give each target a weight from 1 to 1000000, or none of them",
            )
