"""Rules about GPUQuotas, ModelPools and FederatedClusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, finds, flat, must, native

_OPERATORS: Final = "['In', 'NotIn', 'Exists', 'DoesNotExist']"
_EXPRESSION: Final = "'spec.selector.matchExpressions[' + string(i) + ']"

OTHERS: Final[Mapping[str, NativeRule]] = {
    "LLMKUBE-120": native(
        must("object.?spec.namespaceRef.orValue('none') != ''", ".spec.namespaceRef", "is empty, so the quota limits no namespace")
    ),
    "LLMKUBE-121": finds(
        "(variables.of_labels + variables.of_operators + variables.of_expressions).map(problem, problem + '; the quota limits nothing')",
        of_labels=flat(
            "object.?spec.selector.matchLabels.orValue({}).transformList(key, value,"
            " (format.qualifiedName().validate(key).orValue([]) + format.labelValue().validate(value).orValue([]))"
            ".map(problem, 'spec.selector.matchLabels.' + key + ': ' + problem))"
        ),
        expressions="object.?spec.selector.matchExpressions.orValue([])",
        of_operators=(
            f"variables.expressions.transformList(i, one, !(one.operator in {_OPERATORS}),"
            f" {_EXPRESSION}.operator: \"' + one.operator + '\" is not a valid label selector operator')"
            " + variables.expressions.transformList(i, one, one.operator in ['In', 'NotIn'] && one.?values.orValue([]).size() == 0,"
            f" {_EXPRESSION}.values: must not be empty for operator ' + one.operator)"
            " + variables.expressions.transformList(i, one,"
            " one.operator in ['Exists', 'DoesNotExist'] && one.?values.orValue([]).size() > 0,"
            f" {_EXPRESSION}.values: must be empty for operator ' + one.operator)"
        ),
        of_expressions=flat(
            f"variables.expressions.transformList(i, one, one.operator in {_OPERATORS},"
            f" format.qualifiedName().validate(one.key).orValue([]).map(problem, {_EXPRESSION}.key: ' + problem)"
            " + one.?values.orValue([]).transformList(at, value, format.labelValue().validate(value).orValue([])"
            f".map(problem, {_EXPRESSION}.values[' + string(at) + ']: ' + problem).join('\\n')))"
        ),
    ),
    "LLMKUBE-122": native(
        must("object.?spec.costBudgetRef.orValue('') == ''", ".spec.costBudgetRef", "has no effect, since upstream has no cost budgets yet")
    ),
    "LLMKUBE-132": native(
        must(
            "object.?spec.default.orValue('') == ''"
            " || object.spec.members.exists(one, one.inferenceServiceRef.?name.orValue('') == object.spec.default)",
            ".spec.default",
            says="'\"' + object.spec.default + '\" is not a member, so no member is kept warm'",
        )
    ),
    "LLMKUBE-135": finds(
        "variables.names.transformList(i, name, name == '' || variables.names.indexOf(name) < i,"
        " 'spec.members[' + string(i) + '].inferenceServiceRef.name: ' + (name == '' ? 'is empty; it must name a service'"
        " : '\"' + name + '\" is listed already; the pool\\'s status can\\'t hold it twice'))",
        names="object.?spec.members.orValue([]).map(one, one.inferenceServiceRef.?name.orValue(''))",
    ),
    "LLMKUBE-150": native(
        must(
            "object.?spec.dataResidencyTier.orValue('') == ''",
            ".spec.dataResidencyTier",
            "is shown but not enforced; no request is routed by it",
        )
    ),
}
