"""Evaluates the policies for a request: findings, what couldn't be checked, and policies that fail (`evaluation`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT
from weighbridge.policies.cel.values.undecided import UNDECIDED
from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.policies import Policies, Validation
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.findings import Finding
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.request import Request
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy, CompiledValidation, wanted_of
from weighbridge.policies.user_policies.evaluation import Evaluation, Said, unchecked
from weighbridge.policies.user_policies.inputs import Made, MissingFactError, RequestInputs
from weighbridge.policies.user_policies.reads import fields_read, meet
from weighbridge.policies.user_policies.vocabulary import EFFECTIVE, PLACEMENT

_LONGEST_MESSAGE: Final = 5 * 1024


class KindPolicies:
    """The policies for the objects of one kind, compiled."""

    def __init__(self, policies: Policies, definition: ResourceDefinition, definitions: Definitions) -> None:
        self.definition, self.definitions = definition, definitions
        schema = definition.openapi_schema
        self.compiled = [CompiledPolicy(policy, schema, definitions) for policy in policies.of_kind(definition.gvk)]
        self.wanted: Mapping[str, frozenset[str]] = wanted_of(self.compiled)
        self.judging = [policy for policy in self.compiled if policy.policy.validations]
        self.filling = [policy for policy in self.compiled if policy.policy.fill_ins]
        self._looks_up = any(expression.compiled.looks_up for policy in self.compiled for expression in policy.all_expressions())

    @cached_property
    def going_by_others(self) -> Sequence[CompiledPolicy]:
        """Those whose fill-ins may change with other objects: because of predictions, look-ups, or values that the family fills in."""
        gvk = self.definition.gvk
        family = family_of(gvk.group)
        filled = family.filled_fields(gvk.kind) if family is not None else frozenset[Path]()
        return [one for one in self.filling if _goes_by_others(one, filled)]

    def is_of(self, definition: ResourceDefinition, definitions: Definitions) -> bool:
        """Whether these are compiled with these definitions."""
        return definition is self.definition and (definitions is self.definitions or not self._looks_up)


def _goes_by_others(compiled: CompiledPolicy, filled: Iterable[Path]) -> bool:
    roots = [*(condition for _, condition in compiled.conditions), *(entry.expression for entry in compiled.fill_ins)]
    names = {name for root in roots for name in compiled.names_of(root)}
    expressions = [*roots, *(variable for name, variable in compiled.variables.items() if name in names)]
    if not names.isdisjoint({EFFECTIVE, PLACEMENT}) or any(one.compiled.looks_up for one in expressions):
        return True
    return any(meet(read, path) for one in expressions for read in fields_read(one.compiled.checked.root) for path in filled)


def compiled_for(policies: Policies, definition: ResourceDefinition, definitions: Definitions) -> KindPolicies:
    """The policies for a kind, compiled when they are first needed."""
    known = policies.recall(id(definition))
    if isinstance(known, KindPolicies) and known.is_of(definition, definitions):
        return known
    found = KindPolicies(policies, definition, definitions)
    policies.remember(id(definition), found)
    return found


def said_of(
    request: Request,
    facts: Facts,
    config: Configuration,
    definition: ResourceDefinition,
    made: Callable[[], Made],
    *,
    is_stored: bool = False,
    check_deadline: Callable[[], None],
) -> Iterator[Said]:
    """The findings of a configuration's policies on a request; policies about changes aren't run for a stored object (`is_stored`)."""
    if config.policies is None:
        return
    known = compiled_for(config.policies, definition, facts.definitions)
    inputs = RequestInputs(request, facts, config, made, known.wanted)
    for compiled in known.judging:
        check_deadline()
        if is_stored and compiled.is_about_changes:
            continue
        if compiled.quick is not None and _hold_at_once(*compiled.quick, inputs):
            continue
        match = compiled.policy.match
        is_meant = match.is_everything or match.includes(request, lambda: namespace_labels(request.namespace, facts.objects))
        if is_meant is None:
            yield unchecked(compiled.policy, f"the labels of namespace {request.namespace} aren't known")
        elif is_meant:
            yield from _Run(compiled, inputs).said()


def _hold_at_once(holds: Callable[..., tuple[Any, int]], uses: Iterable[str], inputs: RequestInputs) -> bool:
    """Whether all validations of a policy are surely true; if not, they may be."""
    try:
        value, cost = holds(PER_CALL_LIMIT, *map(inputs.value, uses))
    except (*UNDECIDED, MissingFactError):
        return False
    return value is True and cost <= PER_CALL_LIMIT


class _Run(Evaluation):
    """The validations of one policy."""

    def said(self) -> Iterator[Said]:
        """Their findings."""
        fault = self.fault("validations")
        if fault is not None:
            yield fault
            return
        try:
            if self.compiled.conditions and not (yield from self.is_asked()):
                return
            if not self._all_hold():
                yield from self._of_each()
        except MissingFactError as error:
            yield unchecked(self.policy, str(error))

    def _all_hold(self) -> bool:
        """Whether all validations are surely true; if not, they may be."""
        combined = self.compiled.all_at_once
        program = combined.program if combined is not None else ""
        if combined is None or isinstance(program, str):
            return False
        values = [self.value(name) for name in combined.uses]
        if any(value.__class__ is CelError for value in values):
            return False
        outcome = program.direct(values, PER_CALL_LIMIT)
        return outcome is not None and outcome.value is True and not outcome.error

    def _of_each(self) -> Iterator[Said]:
        policy = self.policy
        for validation in self.compiled.validations:
            entry = policy.validations[validation.index]
            outcome = self.evaluate(validation.expression)
            if outcome.error:
                yield self.failed(("validations", validation.index, "expression"), outcome.error)
                if self.is_spent or outcome.exceeded:
                    return
            elif outcome.value is not True:
                place = steps(validation.path) if validation.path else ()
                yield Said(policy, Finding(policy.id, policy.severity, place, self._message(validation, entry), entry.hint))

    def _message(self, validation: CompiledValidation, entry: Validation) -> str:
        found = ""
        if validation.message is not None:
            outcome = self.evaluate(validation.message)
            found = trimmed(outcome.value) if isinstance(outcome.value, str) and not outcome.error else ""
        if not found or "\n" in found or len(found.encode("utf-8", "surrogatepass")) > _LONGEST_MESSAGE:
            found = trimmed(entry.message)
        return found or f"failed expression: {' '.join(entry.expression.split())}"
