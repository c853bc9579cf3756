"""Rules of LLMKube as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.native import NativeRule

TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMKUBE-029": NativeRule(
        (
            Validation(
                "variables.stated.size() == 0",
                message_expression="'no pod requests ' + variables.stated.join(' and ') + ' of a Model'",
                field_path=".spec.resources",
            ),
        ),
        {
            "stated": "[object.?spec.resources.cpu.orValue('') != '' ? 'cpu' : '',"
            " object.?spec.resources.memory.orValue('') != '' ? 'memory' : ''].filter(name, name != '')"
        },
    ),
    "LLMKUBE-120": NativeRule(
        (
            Validation(
                "object.?spec.namespaceRef.orValue('none') != ''",
                message="is empty, so the quota limits no namespace",
                field_path=".spec.namespaceRef",
            ),
        )
    ),
    "LLMKUBE-122": NativeRule(
        (
            Validation(
                "object.?spec.costBudgetRef.orValue('') == ''",
                message="has no effect, since upstream has no cost budgets yet",
                field_path=".spec.costBudgetRef",
            ),
        )
    ),
    "LLMKUBE-150": NativeRule(
        (
            Validation(
                "object.?spec.dataResidencyTier.orValue('') == ''",
                message="is shown but not enforced; no request is routed by it",
                field_path=".spec.dataResidencyTier",
            ),
        )
    ),
}
