"""The endpoint picker behind the Service is started for another pool.

A picker watches the pool that its flags name, and knows the pods of that one alone. After a pool was renamed or copied, the picker's
arguments often keep the old name: it waits for a pool that isn't there, and answers for no endpoint. Start it with the name, the
namespace and the group of this pool. Only upstream's picker and llm-d's are read, by their images; others have other flags.

Source: Gateway API Inference Extension v1.5.0, cmd/epp/runner/runner.go; upstream issues 475, 702, 946, 1338.
"""

from __future__ import annotations

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.rulebook import Given, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.picker_program import PickerProgram
from weighbridge.policies.families.inference_extension.subject.picker_service import selector_of, service_of
from weighbridge.policies.families.inference_extension.subject.pool import GROUPS, READ_BY_POOLS
from weighbridge.policies.families.inference_extension.subject.workloads import READ, chosen


@pools.warning(
    reads=tuple(sorted(("Service", *READ_BY_POOLS, *READ))),
    good="accepts-a-picker-with-other-flags",
    bad="warns-of-a-picker-that-is-started-for-another-pool",
)
def check(pool: Pool, given: Given) -> Said:
    picker, service = pool.picker, service_of(pool, given.facts)
    if picker is None or service is None:
        return
    started = [pods for pods in chosen(given.facts, given.config, pool.namespace, selector_of(service)) if pods.picker is not None]
    other = next((pods for pods in started if pods.picker is not None and not _is_for(pods.picker, pool, given.facts)), None)
    if other is not None and not any(pods.picker is not None and _is_for(pods.picker, pool, given.facts) for pods in started):
        yield Violation(
            (*picker.path, "name"),
            f'{other} behind Service "{picker.name}" is started with {other.picker}',
            found=str(other.picker),
            expected=f"--pool-name {pool.name} --pool-namespace {pool.namespace} --pool-group {pool.group}",
            hint="start the picker for this pool, or name the Service of the picker that is",
        )


def _is_for(picker: PickerProgram, pool: Pool, facts: Facts) -> bool:
    """Whether a picker is started for the pool, as far as its flags say; twins of both groups that have one name share a picker."""
    is_group = picker.group in ("", pool.group) or _has_twin(pool, facts)
    return picker.name in ("", pool.name) and picker.namespace in ("", pool.namespace) and is_group


def _has_twin(pool: Pool, facts: Facts) -> bool:
    others = (group for group in GROUPS if group != pool.group)
    return any(facts.objects.get(group, "InferencePool", pool.namespace, pool.name) is not None for group in others)
