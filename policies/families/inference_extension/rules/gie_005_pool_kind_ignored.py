"""The pool reference of a model names a kind other than InferencePool, which nothing reads.

The endpoint picker compares only the name: it treats a reference to a Service or to a misspelt kind as one to an InferencePool. A later
version that checks the kind would ignore the model. Leave `kind` out.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/controller/inferencemodel_reconciler.go; upstream issues 1275 and 1306.
"""

from weighbridge.policies.families.inference_extension.rulebook import PoolReference, Said, references
from weighbridge.policies.families.inference_extension.rules._pool_kind import ignored_kind


@references.warning(kinds=("InferenceModel",), good="accepts-a-model-of-a-pool", bad="warns-of-a-pool-kind-that-is-not-read")
def check(pool: PoolReference) -> Said:
    yield from ignored_kind(pool)
