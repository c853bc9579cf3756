"""The pool exists, but in another API group than the one in the reference.

The InferencePools of `inference.networking.k8s.io` and `inference.networking.x-k8s.io` are two kinds, and the API server doesn't convert
one into the other. The default of `poolRef.group` depends on the kind: it is the experimental group in InferenceModel, and the stable one
in InferenceObjective and InferenceModelRewrite. So if you only replace the kind of a manifest without a group, it refers to another pool,
and the picker of the old pool ignores the object. Write the group of the pool.

Source: Gateway API Inference Extension v1.0.0, apix/v1alpha2; upstream issues 1275, 1306 and 1346.
"""

from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, Given, PoolReference, Said, Violation, references
from weighbridge.policies.families.inference_extension.subject.pool import READ_BY_OTHERS


@references.warning(about=REFERENCE, reads=READ_BY_OTHERS, good="leaves-criticality-alone", bad="warns-a-model-of-a-pool-of-the-new-group")
def check(pool: PoolReference, given: Given) -> Said:
    group, objects = pool.other_group, given.facts.objects
    if not pool.name or objects.get(pool.group, "InferencePool", pool.namespace, pool.name) is not None:
        return
    if objects.get(group, "InferencePool", pool.namespace, pool.name) is not None:
        yield Violation(
            ("spec", "poolRef", "group"),
            f'InferencePool "{pool.name}" is of group {group}, and poolRef means one of {pool.group or "the core group"}',
            found=pool.group,
            expected=group,
            hint=f"write group: {group}",
        )
