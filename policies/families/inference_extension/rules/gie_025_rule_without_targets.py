"""A rule of a rewrite has no targets, so it rewrites nothing.

The CRD doesn't require them. v1.2.0 called the field `split`, and v1.3.0 renamed it to `targets`; the API server drops the name that its
CRD doesn't have. Write the servers' models into the field of the installed release.

Source: Gateway API Inference Extension v1.2.0 and v1.3.0, config/crd/bases.
"""

from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Violation, items, objects


@objects.warning(kinds=("InferenceModelRewrite",), good="accepts-a-rewrite", bad="warns-of-a-rule-without-targets")
def check(given: Given) -> Said:
    for at, rule in enumerate(items(given.spec, "rules")):
        if not rule.get("targets") and not rule.get("split"):
            yield Violation(
                ("spec", "rules", at, "targets"),
                "is missing, so the rule rewrites nothing",
                expected="at least one target",
                hint="write targets, or split where v1.2.0 is installed",
            )
