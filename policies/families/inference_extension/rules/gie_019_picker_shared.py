"""The endpoint picker already serves another pool.

One picker serves one pool: it starts with the name of its pool, and knows only the pods of that pool. It sends requests for the other pool
to the wrong pods, or to none. Run a picker for each pool.

Source: Gateway API Inference Extension v1.6.0, site-src/guides/implementers.md.
"""

from weighbridge.policies.families.inference_extension.rulebook import Given, NotChecked, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.pool import READ_BY_POOLS, know_all_pools, with_picker


@pools.warning(reads=READ_BY_POOLS, good="accepts-a-twin-of-the-other-group", bad="warns-of-a-picker-of-an-old-pool")
def check(pool: Pool, given: Given) -> Said:
    picker = pool.picker
    if picker is None or not picker.name:
        return
    other = next(with_picker(given.facts, pool, picker), None)
    if other is not None:
        yield Violation(
            (*picker.path, "name"),
            f'{picker.kind} "{picker.name}" is the picker of {other} already',
            found=picker.name,
            expected="a picker that only serves this pool",
            hint="run a picker for this pool, and name its Service",
        )
    elif not know_all_pools(given.facts):
        yield NotChecked("not all InferencePools of the cluster are known")
