"""The endpoint picker behind the Service starts with the name of another pool.

A picker watches the pool that its flags name, and knows only the pods of that pool. If a pool was renamed or copied, the picker's
arguments often still have the old name: the picker waits for a pool that doesn't exist, and knows no endpoint. Start it with the
name, the namespace and the group of this pool. The rule only knows upstream's picker and llm-d's, by their images; other pickers have
other flags.

Source: Gateway API Inference Extension v1.5.0, cmd/epp/runner/runner.go; upstream issues 475, 702, 946 and 1338.
"""

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.rulebook import Given, PickerService, Pool, Said, Violation, picker_services
from weighbridge.policies.families.inference_extension.subject.picker_program import PickerProgram
from weighbridge.policies.families.inference_extension.subject.pool import GROUPS, READ_BY_POOLS
from weighbridge.policies.families.inference_extension.subject.workloads import READ, chosen


@picker_services.warning(
    reads=tuple(sorted(("Service", *READ_BY_POOLS, *READ))),
    good="accepts-a-picker-with-other-flags",
    bad="warns-of-a-picker-that-is-started-for-another-pool",
)
def check(service: PickerService, given: Given) -> Said:
    pool, picker = service.pool, service.picker
    pods = chosen(given.facts, given.config, pool.namespace, service.selector)
    started = [(each, program) for each in pods if (program := each.picker) is not None]
    if started and not any(_is_for(program, pool, given.facts) for _, program in started):
        other, program = started[0]
        yield Violation(
            (*picker.path, "name"),
            f'{other} behind Service "{picker.name}" is started with {program}',
            found=str(program),
            expected=f"--pool-name {pool.name} --pool-namespace {pool.namespace} --pool-group {pool.group}",
            hint="start the picker for this pool, or name the Service of the picker that is",
        )


def _is_for(picker: PickerProgram, pool: Pool, facts: Facts) -> bool:
    """Whether a picker may start with the name of the pool, by its flags. Two pools of one name, one in each group, may share a picker."""
    is_group = picker.group in ("", pool.group) or _has_twin(pool, facts)
    return picker.name in ("", pool.name) and picker.namespace in ("", pool.namespace) and is_group


def _has_twin(pool: Pool, facts: Facts) -> bool:
    others = (group for group in GROUPS if group != pool.group)
    return any(facts.objects.get(group, "InferencePool", pool.namespace, pool.name) is not None for group in others)
