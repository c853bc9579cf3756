"""An older InferenceModelRewrite of the same pool matches the same model.

If several rewrites match a request, the oldest object wins, so this rule never applies. A rule without `matches` matches every model, but
only applies if no exact match does. Match another model, or change the other object.

Source: Gateway API Inference Extension v1.5.0, docs/proposals/1816-inferenceomodelrewrite/README.md.
"""

from weighbridge.policies.families.creation import is_earlier
from weighbridge.policies.families.inference_extension.kinds import REWRITE
from weighbridge.policies.families.inference_extension.rulebook import Given, Matches, NotChecked, Said, Violation, matches
from weighbridge.policies.families.inference_extension.subject.matches import matches_of
from weighbridge.policies.families.inference_extension.subject.pool_reference import reference_of, referred
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of


@matches.warning(reads=("InferenceModelRewrite",), good="accepts-a-rule-for-all-others", bad="warns-of-a-match-that-an-older-rewrite-has")
def check(matches: Matches, given: Given) -> Said:
    pool, own_name = referred(given.request), given.name or given.request.name
    if not pool.name:
        return
    stored = given.request.old_object if isinstance(given.request.old_object, dict) else given.object
    for other in given.facts.objects.where(REWRITE.group, REWRITE.kind, _pool, (pool.namespace, pool.group, pool.name)):
        if name_of(other) == own_name or not is_earlier(other, stored):
            continue
        taken = {match.model for match in matches_of(other)}
        for match in matches:
            if match.model in taken:
                yield Violation(
                    match.path,
                    f'InferenceModelRewrite "{name_of(other)}" is older and matches {match} already',
                    found=match.model,
                    expected="a model that no older rewrite of the pool matches",
                    hint="match another model, or change the older rewrite",
                )
    if not given.facts.objects.knows_all(REWRITE.group, REWRITE.kind):
        yield NotChecked("not all InferenceModelRewrites of the cluster are known")


def _pool(rewrite: JSONObject) -> tuple[str, str, str]:
    """The pool that a rewrite is for."""
    reference = reference_of(rewrite, REWRITE.kind, namespace_of(rewrite))
    return reference.namespace, reference.group, reference.name
