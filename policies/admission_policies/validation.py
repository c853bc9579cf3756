"""Judges a request by the cluster's ValidatingAdmissionPolicies.

Policies and bindings are sorted by name. The server has no order, so its answer can have any of several refusals.
Source: k8s.io/apiserver pkg/admission/plugin/policy/validating/dispatcher.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from weighbridge.policies.admission_policies import wordings
from weighbridge.policies.admission_policies.attributes import Attributes
from weighbridge.policies.admission_policies.bindings import bound, not_checked
from weighbridge.policies.admission_policies.compiled import INVALID, Answer, CompiledValidatingPolicy, Failure, compile_policy
from weighbridge.policies.admission_policies.declarations import (
    VALIDATING_BINDING,
    VALIDATING_POLICY,
    ValidatingBinding,
    read_binding,
    read_policy,
)
from weighbridge.policies.admission_policies.inputs import inputs_of
from weighbridge.policies.admission_policies.matching import Matched, is_exempt, matched, may_match
from weighbridge.policies.admission_policies.parameters import BindingError, PolicyError, check_param_kind, parameters_of
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.cel.values.values import NotKnownError
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.server_release import release

_CODES: Final = {"Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413}
_FAILURES: Final = "validation.policy.admission.k8s.io/validation_failure"
_MAX_FAILURES: Final = 50


@dataclass(frozen=True, slots=True)
class Denial:
    """Why a policy refuses a request; `binding` is empty if the policy itself is misconfigured."""

    policy: str
    binding: str
    message: str
    reason: str = INVALID

    @property
    def text(self) -> str:
        """The text without the object."""
        by = wordings.by_policy(VALIDATING_POLICY, self.policy)
        if self.binding:
            by = wordings.by_binding(VALIDATING_POLICY, self.policy, self.binding)
        return wordings.denied(by, self.message)


@dataclass(slots=True)
class Judgement:
    """The verdict of all policies on a request. The refusal is that of the first of `denials`; `asked` counts the bindings that match."""

    denials: list[Denial] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    unchecked: list[Unchecked] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    asked: int = 0

    def refusal(self, attributes: Attributes) -> Refusal | None:
        """The server's answer, or `None` if the policies accept the request."""
        if not self.denials:
            return None
        first = self.denials[0]
        resource = attributes.resource
        named = f"{resource.resource}.{resource.group}" if resource.group else resource.resource
        text = wordings.forbidden(named, attributes.name, first.text)
        return Refusal(_CODES.get(first.reason, 422), text, [{"message": first.text}])


def judge(attributes: Attributes, facts: Facts) -> Judgement:
    """Judge a request by all policies and bindings among the facts."""
    found = Judgement()
    if is_exempt(attributes):
        return found
    for compiled, bindings in _bound(facts):
        _judge_by(compiled, bindings, attributes, facts, found)
    if found.failures:
        told = found.failures[:_MAX_FAILURES] if release().audits_all_failures else found.failures[:1]
        found.annotations[_FAILURES] = f"[{','.join(told)}]"
    return found


def concerns(attributes: Attributes, facts: Facts) -> bool:
    """Whether there is a policy whose rules match a request."""
    return any(may_match(compiled.policy.head.match, attributes, facts) for compiled, _ in _bound(facts))


def _bound(facts: Facts) -> Sequence[tuple[CompiledValidatingPolicy, Sequence[ValidatingBinding]]]:
    """The policies that have bindings, each with its bindings."""
    return bound((VALIDATING_POLICY, _compiled), (VALIDATING_BINDING, _read), facts)


def _compiled(policy: JSONObject) -> CompiledValidatingPolicy:
    return compile_policy(read_policy(policy))


def _read(binding: JSONObject) -> tuple[str, ValidatingBinding]:
    found = read_binding(binding)
    return found.head.policy, found


def _judge_by(
    compiled: CompiledValidatingPolicy, bindings: Iterable[ValidatingBinding], attributes: Attributes, facts: Facts, found: Judgement
) -> None:
    """Judge a request by one policy with its bindings."""
    head = compiled.policy.head
    published: dict[str, list[str]] = {}
    try:
        as_matched = matched(head.match, attributes, facts)
        if as_matched is None:
            return
        check_param_kind(head, facts)
    except NotKnownError as error:
        found.unchecked.append(not_checked(VALIDATING_POLICY, head.name, "", error))
        return
    except PolicyError as error:
        if head.fails:
            found.denials.append(Denial(head.name, "", wordings.misconfigured_policy(error)))
        return
    for binding in bindings:
        try:
            outcomes = _outcomes(compiled, binding, attributes, as_matched, facts)
        except NotKnownError as error:
            found.unchecked.append(not_checked(VALIDATING_POLICY, head.name, binding.head.name, error))
        except BindingError as error:
            if head.fails:
                found.denials.append(Denial(head.name, binding.head.name, wordings.misconfigured_binding(error)))
        else:
            found.asked += outcomes is not None
            for outcome in outcomes or ():
                _take(outcome, head.name, binding, found, published)
    for key, values in published.items():
        found.annotations[f"{head.name}/{key}"] = ", ".join(dict.fromkeys(values))


def _outcomes(
    compiled: CompiledValidatingPolicy, binding: ValidatingBinding, attributes: Attributes, as_matched: Matched, facts: Facts
) -> list[Answer] | None:
    """A policy's answer with each parameter of a binding; `None` if the binding doesn't match. Raises NotKnownError and BindingError."""
    match = binding.head.match
    if match is not None and matched(match, attributes, facts) is None:
        return None
    head = compiled.policy.head
    every: Sequence[JSONValue] = parameters_of(head, binding.head.param_ref, attributes.namespace, facts)
    inputs = (inputs_of(attributes, as_matched, params, head.param_kind, facts) for params in every)
    return [compiled.outcome(one, attributes, as_matched) for one in inputs]


def _take(outcome: Answer, policy: str, binding: ValidatingBinding, found: Judgement, published: dict[str, list[str]]) -> None:
    """Apply the binding's actions to an answer."""
    for failure in outcome.failures:
        for action in binding.actions:
            if action == "Deny":
                found.denials.append(Denial(policy, binding.head.name, failure.message, failure.reason))
            elif action == "Audit":
                found.failures.append(_audited(failure, policy, binding))
            elif action == "Warn":
                by = wordings.by_binding(VALIDATING_POLICY, policy, binding.head.name)
                found.warnings.append(wordings.warned(by, failure.message))
    for key, value in outcome.annotations:
        published.setdefault(key, []).append(value)
    found.denials += (Denial(policy, binding.head.name, error) for error in outcome.errors)


def _audited(failure: Failure, policy: str, binding: ValidatingBinding) -> str:
    """An entry of the audit annotation, in the order of the fields of Go's struct."""
    entry: JSONObject = {
        "message": failure.message,
        "policy": policy,
        "binding": binding.head.name,
        "expressionIndex": failure.index,
        "validationActions": list(binding.actions),
    }
    return "{" + ",".join(f'"{key}":{json_text(value)}' for key, value in entry.items()) + "}"
