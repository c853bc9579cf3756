"""Another pool of the namespace selects the same pods.

A picker counts only the requests of its own pool. If two pools share pods, each of them sends requests to servers that are already busy
with the other pool's requests, and may request models that these servers don't have. Give the pods of each pool their own labels. The rule
ignores two pools with the same name in the two API groups, as they exist during a migration.

Source: Gateway API Inference Extension v1.6.0, site-src/guides/implementers.md; upstream issue 724.
"""

from weighbridge.policies.families.inference_extension.rulebook import Given, NotChecked, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.pool import READ_BY_POOLS, know_all_pools, sharing_pods
from weighbridge.policies.families.inference_extension.subject.workloads import READ, chosen_by, labels_text


@pools.warning(
    reads=tuple(sorted((*READ_BY_POOLS, *READ))),
    good="accepts-the-same-selector-in-another-namespace",
    bad="warns-of-the-same-selector",
)
def check(pool: Pool, given: Given) -> Said:
    if not pool.selector:
        return
    pods = chosen_by(pool, given.facts, given.config)
    for other in sharing_pods(given.facts, pool, [found.labels for found in pods]):
        shared = next((found for found in pods if found.have(other.selector)), None)
        is_part = pool.selector.items() <= other.selector.items() or other.selector.items() <= pool.selector.items()
        if is_part or shared is not None:
            which = f"the pods of {shared}" if shared is not None else f"pods with {labels_text({**pool.selector, **other.selector})}"
            yield Violation(
                pool.selector_path,
                f"{other} chooses {which}, too",
                found=labels_text(pool.selector),
                expected="labels that no other pool selects",
                hint="give the pods of each pool their own label, and select by it",
            )
    if not know_all_pools(given.facts):
        yield NotChecked("not all InferencePools of the cluster are known")
