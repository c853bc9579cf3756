"""The namespace has no pool with the name in `poolRef`.

`poolRef` names an InferencePool of the same namespace; it has no field for another one. Nothing reports a missing pool: the object just
gets no traffic. Create the pool, or correct the name. The pool may come later in the same rollout, so the rule only warns.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/controller/inferencemodel_reconciler.go; upstream issue 517.
"""

from weighbridge.policies.facts.store import names_of
from weighbridge.policies.families.inference_extension.rulebook import (
    REFERENCE,
    Given,
    NotChecked,
    PoolReference,
    Said,
    Violation,
    references,
)
from weighbridge.policies.families.inference_extension.subject.pool import GROUPS, READ_BY_OTHERS
from weighbridge.policies.ground.spelling import similar


@references.warning(about=REFERENCE, reads=READ_BY_OTHERS, good="accepts-a-model-of-a-pool", bad="warns-of-a-missing-pool")
def check(pool: PoolReference, given: Given) -> Said:
    objects = given.facts.objects
    if not pool.name or any(objects.get(group, "InferencePool", pool.namespace, pool.name) is not None for group in GROUPS):
        return
    if not objects.knows_all(pool.group, "InferencePool"):
        yield NotChecked("not all InferencePools of the cluster are known")
        return
    names = [name for group in GROUPS for name in names_of(objects, group, "InferencePool", pool.namespace)]
    yield Violation(
        ("spec", "poolRef", "name"),
        f'namespace "{pool.namespace}" has no InferencePool "{pool.name}"',
        found=pool.name,
        nearest=similar(pool.name, names, otherwise=3),
        hint="create the pool in the same namespace, or correct the name",
    )
