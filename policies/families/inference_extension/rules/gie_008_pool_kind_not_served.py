"""The pool reference names a kind other than InferencePool.

Endpoint pickers compare the reference's name and group with those of their own pool, and never read the kind: they treat a reference to
a Service or to a misspelt kind as one to an InferencePool. A later version that checks the kind would ignore the object. Leave `kind`
out.

Source: Gateway API Inference Extension v1.5.0, pkg/epp/controller; upstream issues 1275 and 1306.
"""

from weighbridge.policies.families.inference_extension.rulebook import PoolReference, Said, references
from weighbridge.policies.families.inference_extension.rules._pool_kind import ignored_kind


@references.warning(
    kinds=("InferenceObjective", "InferenceModelRewrite"), good="accepts-an-objective", bad="warns-an-objective-of-a-service"
)
def check(pool: PoolReference) -> Said:
    yield from ignored_kind(pool)
