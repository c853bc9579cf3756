"""The pool's selector is empty, so every pod of the namespace is an endpoint.

The CRDs of the experimental pool and of v1.0.0 accept an empty selector. Requests for a model then go to every pod of the namespace:
databases, jobs, the endpoint picker itself. Write the labels of the model servers. Since v1.0.2 the CRD of v1 requires at least one
label.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencepool_types.go; v1.0.2, config/crd/bases.
"""

from weighbridge.policies.families.inference_extension.rulebook import Given, Pool, Said, Violation, lookup, pools


@pools.warning(good="accepts-a-pool-with-picker-pods-and-route", bad="warns-of-an-empty-selector-where-v1-0-0-is-installed")
def check(pool: Pool, given: Given) -> Said:
    if lookup(given.object, pool.selector_path) == {}:
        yield Violation(
            pool.selector_path,
            "is empty, so every pod of the namespace is an endpoint of the pool",
            expected="labels that only the model servers have",
            hint="write the labels of the model servers",
        )
