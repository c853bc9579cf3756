"""The API server's checks of when a container restarts: its own policy, and rules by exit code.

Before 1.35 the server has no rules. Source: Kubernetes v1.37, pkg/apis/core/validation (validateInitContainerRestartPolicy,
validateContainerRestartPolicy).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.validation.wordings import NO_EXIT_CODES, RULES_OF_SIDECAR, RULES_WITHOUT_POLICY

_POLICIES: Final = ("Always", "Never", "OnFailure")
_OPERATORS: Final = ("In", "NotIn")


def restart_errors(container: JSONObject, path: str, *, is_init: bool) -> Iterator[FieldError]:
    """The errors of the policy of a container and of its rules."""
    policy, rules = container.get("restartPolicy"), items(container, "restartPolicyRules")
    if not release().checks_restart_rules or (policy is None and not rules):
        return
    restarts_all = release().matches_declared_features
    if policy is None:
        yield FieldError(ErrorType.REQUIRED, f"{path}.restartPolicy", detail=RULES_WITHOUT_POLICY)
        if is_init:
            return
    elif policy not in _POLICIES:
        yield unsupported(f"{path}.restartPolicy", text(container, "restartPolicy"), _POLICIES)
    elif policy == "Always" and is_init and not restarts_all:
        if rules:
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.restartPolicyRules", detail=RULES_OF_SIDECAR)
        return
    actions = ("Restart", "RestartAllContainers") if restarts_all else ("Restart",)
    for index, rule in enumerate(rules):
        yield from _rule_errors(rule, f"{path}.restartPolicyRules[{index}]", actions)


def _rule_errors(rule: JSONObject, path: str, actions: tuple[str, ...]) -> Iterator[FieldError]:
    if text(rule, "action") not in actions:
        yield unsupported(f"{path}.action", text(rule, "action"), actions)
    if not isinstance(rule.get("exitCodes"), dict):
        yield FieldError(ErrorType.REQUIRED, f"{path}.exitCodes", detail=NO_EXIT_CODES)
    elif (operator := text(part(rule, "exitCodes"), "operator")) not in _OPERATORS:
        yield unsupported(f"{path}.exitCodes.operator", operator, _OPERATORS)
