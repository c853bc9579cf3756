"""The volume size of a KV cache isn't a size, or is too small for Redis.

With a size of 0 or less there is no volume. The documentation advises at least 1Gi: Redis writes its data to the volume, and fails when it
is full.

Source: kaiwo dbca1b55, internal/controller/aim/aimkvcache_controller.go.
"""

from typing import Final

from weighbridge.policies.families.aim.rulebook import FAILURE, Given, JSONObject, Said, Severity, Violation, amount, lookup, old_specs

_LEAST: Final = 2**30


@old_specs.warning(
    kinds=("AIMKVCache", "AIMService"), about=FAILURE, good="accepts-a-kv-cache-of-a-gibibyte", bad="warns-of-a-small-kv-cache"
)
def check(spec: JSONObject, given: Given) -> Said:
    path = ("storage", "size") if given.kind == "AIMKVCache" else ("kvCache", "storage", "size")
    size = lookup(spec, path)
    read = amount(size)
    if read is None or read.value() >= _LEAST:
        return
    is_positive = read.sign() > 0
    yield Violation(
        ("spec", *path),
        f"{size} is less than the 1Gi that a KV cache should have" if is_positive else "a volume must be larger than 0",
        found=str(size),
        expected="1Gi or more",
        severity=None if is_positive else Severity.ERROR,
    )
