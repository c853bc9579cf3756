"""The bounds of an elastic Playground leave nothing to scale.

`minReplicas` must be at least 1, which is its default, and below `maxReplicas`.

Source: llmaz 3c13ff3, pkg/webhook/playground_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Violation, objects, whole


@objects.error(
    kinds=("Playground",),
    about=FAILURE,
    mirrors="minReplicas must be less than maxReplicas",
    good="accepts-a-trigger-of-its-own",
    bad="refuses-one-replica-at-most",
)
def check(given: Given) -> Said:
    elastic = given.spec.get("elasticConfig")
    if not isinstance(elastic, dict):
        return
    least, most = whole(elastic, "minReplicas", 1), whole(elastic, "maxReplicas")
    if least < 1:
        yield Violation(("spec", "elasticConfig", "minReplicas"), "at least one replica has to run", found=str(least), expected="1")
    elif least >= most:
        message = f"minReplicas is {least}{'' if 'minReplicas' in elastic else ' where it is left open'}, and maxReplicas must be larger"
        yield Violation(("spec", "elasticConfig", "maxReplicas"), message, found=str(most), expected=str(least + 1))
