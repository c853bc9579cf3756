"""The pool reference of a model names a kind other than InferencePool, which nothing reads.

The endpoint picker compares the name alone: it takes a reference to a Service or a misspelt kind for an InferencePool, until a version that
checks the kind drops the model. Leave `kind` out.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/controller/inferencemodel_reconciler.go; upstream issues 1275 and 1306.
"""

from weighbridge.policies.families.inference_extension.rulebook import PoolReference, Said, references
from weighbridge.policies.families.inference_extension.rules._pool_kind import ignored_kind


@references.warning(kinds=("InferenceModel",), good="accepts-a-model-of-a-pool", bad="warns-of-a-pool-kind-that-is-not-read")
def check(pool: PoolReference) -> Said:
    yield from ignored_kind(pool)
