"""Rules about the workloads of Services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.native import NativeRule, must, native

_TEMPLATE: Final = "object.?spec.workloadTemplate"
# A Playground has neither groups nor a rollout strategy, so the expressions read the fields without their types.
_SPEC: Final = "dyn(object).?spec"
_ROLLOUT: Final = "spec.rolloutStrategy.rollingUpdateConfiguration"
_PERCENT: Final = "^0*([0-9]{1,2}|100)%$"


def _has_runner(template: str) -> Validation:
    path = f"spec.workloadTemplate.{template}"
    return must(
        f"!object.?{path}.hasValue() || object.?{path}.spec.containers.orValue([]).exists(one, one.name == 'model-runner')",
        f".{path}.spec.containers",
        "no container is named model-runner, so no container gets the flavor's limits and the model",
    )


def _is_usable(field: str) -> Validation:
    return must(f"variables.usable_{field}", "", f"{_ROLLOUT}.{field}: LeaderWorkerSet's webhook refuses this {field}")


def _usable(field: str) -> str:
    value = f"variables.{field}"
    return f"type({value}) == string ? string({value}).matches('{_PERCENT}') : int({value}) >= 0"


def _parts(field: str) -> str:
    """A number of groups, or a percentage of them, in hundredths of a group."""
    value = f"variables.{field}"
    return f"type({value}) == int ? int({value}) * 100 : int(string({value}).replace('%', '')) * variables.replicas"


TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMAZ-060": native(*map(_has_runner, ("leaderTemplate", "workerTemplate"))),
    "LLMAZ-061": native(
        must(
            f"!{_TEMPLATE}.leaderTemplate.hasValue() || {_TEMPLATE}.size.orValue(1) > 1",
            ".spec.workloadTemplate.size",
            "a group has one pod, which is its leader, so no worker ever runs",
        )
    ),
    "LLMAZ-062": native(
        must(
            f"!({_TEMPLATE}.restartPolicy.orValue('') in ['Default', 'None'])",
            ".spec.workloadTemplate.restartPolicy",
            "llmaz doesn't pass it on; the groups get RecreateGroupOnPodRestart",
        ),
        must(
            f"!{_TEMPLATE}.subGroupPolicy.hasValue()",
            ".spec.workloadTemplate.subGroupPolicy",
            "llmaz doesn't pass it on; the groups have no subgroups",
        ),
    ),
    "LLMAZ-063": native(
        must(
            "request.operation != 'CREATE' || !object.metadata.?name.orValue('').matches('^[0-9]')",
            ".metadata.name",
            "LeaderWorkerSet's webhook refuses a name that begins with a digit, so no pod ever starts",
        ),
        must("variables.size >= 1", "", "spec.workloadTemplate.size: LeaderWorkerSet's webhook refuses a group without pods"),
        must(
            "variables.size < 1 || variables.replicas * variables.size <= 2147483647",
            "",
            "spec.replicas: LeaderWorkerSet's webhook refuses groups with more than 2147483647 pods together",
        ),
        _is_usable("maxUnavailable"),
        _is_usable("maxSurge"),
        must(
            "object.kind != 'Service' || variables.replicas == 0 || !variables.usable_maxUnavailable || !variables.usable_maxSurge"
            " || variables.unavailable >= 100 || variables.unavailable < 0 || variables.surge > 0 || variables.surge <= -100",
            "",
            says=(
                f'"{_ROLLOUT}.maxUnavailable: LeaderWorkerSet\'s webhook refuses an update where both maxUnavailable and maxSurge are 0"'
                " + ' of ' + string(variables.replicas) + ' groups'"
            ),
        ),
        replicas=f"object.kind == 'Service' ? int({_SPEC}.replicas.orValue(1)) : 1",
        size=f"int({_SPEC}.workloadTemplate.size.orValue(1))",
        maxUnavailable=f"{_SPEC}.rolloutStrategy.rollingUpdateConfiguration.maxUnavailable.orValue(1)",
        maxSurge=f"{_SPEC}.rolloutStrategy.rollingUpdateConfiguration.maxSurge.orValue(0)",
        usable_maxUnavailable=_usable("maxUnavailable"),
        usable_maxSurge=_usable("maxSurge"),
        unavailable=_parts("maxUnavailable"),
        surge=_parts("maxSurge"),
    ),
}
