"""A key of the pool's selector can't be the key of a label.

The CRDs check the values of the selector, but not its keys. The API server refuses a pod with such a label, so the selector never
matches one. Write the key as the pods have it.

Source: Gateway API Inference Extension v1.6.0, api/v1/shared_types.go; Kubernetes v1.36, apimachinery/pkg/util/validation.
"""

from weighbridge.policies.families.inference_extension.rulebook import Pool, Said, Violation, pools
from weighbridge.policies.schema.names import qualified_name


@pools.warning(good="accepts-the-labels-of-a-workload", bad="warns-of-a-label-that-no-pod-can-have")
def check(pool: Pool) -> Said:
    for key in pool.selector:
        if problems := qualified_name(key):
            message = f'no pod can have a label "{key}": {problems[0]}'
            yield Violation((*pool.selector_path, key), message, "write the key as the pods have it", key)
