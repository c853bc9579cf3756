"""Evaluates the fill-ins of policies, and fills in fields that the author left open.

Expressions see the object with the values of Weighbridge's own fill-ins, and without those that policies filled in before. So they give the
same on an update as on the creation. A field is open if it has no value, one that a policy filled in before, or a default of the CRD that
the author didn't write (`families/fill/authorship.py`). The first policy with a value for a field fills it. A value that no policy gives
any more is removed, with the maps around it that were created for it. It stays if a policy gives no answer: if it fails, lacks a fact,
isn't about the operation or isn't in force.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.config.policies import Policy
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.user_policies.compiled_policy import CompiledFillIn, CompiledPolicy
from weighbridge.policies.user_policies.evaluation import Evaluation, Said, unchecked
from weighbridge.policies.user_policies.filled_field import FilledField
from weighbridge.policies.user_policies.inputs import MissingFactError, RequestInputs
from weighbridge.policies.user_policies.json_values import NotJSONError, json_of
from weighbridge.policies.user_policies.verdict import KindPolicies

_NO_LONGER: Final = "no policy fills it in any more"
_CONFIGURATION: Final = "configuration"


@dataclass(frozen=True, slots=True)
class FillValue:
    """The value that a field should have, `None` for none, with its source and reason."""

    field: FilledField
    value: JSONValue = None
    source: str = _CONFIGURATION
    reason: str = _NO_LONGER


def asked_policies(known: KindPolicies, request: Request, is_in_force: Callable[[Policy], bool]) -> list[CompiledPolicy]:
    """The policies whose fill-ins are evaluated."""
    return [one for one in known.filling if _is_of_operation(one.policy, request) and is_in_force(one.policy)]


def fields_of(policies: Iterable[CompiledPolicy]) -> list[FilledField]:
    """The fields that policies fill in."""
    return [entry.field for one in policies for entry in one.fill_ins]


class Answers:
    """The values that policies give for the object of a request, and findings about the policies (`said`)."""

    def __init__(self, policies: Iterable[CompiledPolicy], inputs: RequestInputs, facts: Facts, check_deadline: Callable[[], None]) -> None:
        """`inputs` are the values for the request, with the object as expressions see it."""
        self.said: list[Said] = []
        self._wanted: dict[Path, FillValue] = {}
        self._undecided: set[Path] = set()
        self._inputs, self._request, self._facts = inputs, inputs.request, facts
        for compiled in policies:
            check_deadline()
            self._ask(compiled)

    @property
    def wanted(self) -> list[FillValue]:
        """The values that the fields should have, as far as they are known."""
        return [one for path, one in self._wanted.items() if one.value is not None or path not in self._undecided]

    def _ask(self, compiled: CompiledPolicy) -> None:
        policy = compiled.policy
        evaluation = Evaluation(compiled, self._inputs)
        found: list[Said] = []
        try:
            fault = evaluation.fault("fillIns")
            if fault is not None:
                found.append(fault)
            elif self._is_meant(policy, found) and self._conditions_hold(evaluation, found):
                found += self._values(evaluation)
            elif not found:
                for entry in compiled.fill_ins:
                    self._want(FillValue(entry.field))
        except MissingFactError as error:
            found.append(unchecked(policy, str(error)))
        self.said += found
        if found:
            self._undecided.update(entry.field.path for entry in compiled.fill_ins)

    def _is_meant(self, policy: Policy, found: list[Said]) -> bool:
        namespace = self._request.namespace
        is_meant = policy.match.includes(self._request, lambda: namespace_labels(namespace, self._facts.objects))
        if is_meant is None:
            found.append(unchecked(policy, f"the labels of namespace {namespace} aren't known"))
        return is_meant is True

    @staticmethod
    def _conditions_hold(evaluation: Evaluation, found: list[Said]) -> bool:
        conditions = evaluation.is_asked()
        try:
            while True:
                found.append(next(conditions))
        except StopIteration as end:
            return end.value is True

    def _values(self, evaluation: Evaluation) -> Iterator[Said]:
        policy = evaluation.policy
        for entry in evaluation.compiled.fill_ins:
            outcome = evaluation.evaluate(entry.expression)
            problem, value = outcome.error, None
            if not problem:
                try:
                    value = json_of(outcome.value)
                except NotJSONError as error:
                    problem = str(error)
            if problem:
                self._undecided.add(entry.field.path)
                yield evaluation.failed(("fillIns", entry.index, "expression"), problem)
                if evaluation.is_spent or outcome.exceeded:
                    return
            else:
                self._want(_wanted(entry, policy, value))

    def _want(self, wanted: FillValue) -> None:
        known = self._wanted.get(wanted.field.path)
        if known is None or known.value is None:
            self._wanted[wanted.field.path] = wanted


def _wanted(entry: CompiledFillIn, policy: Policy, value: JSONValue) -> FillValue:
    if value is None:
        return FillValue(entry.field)
    return FillValue(entry.field, value, policy.id, policy.fill_ins[entry.index].reason or policy.name)


def _is_of_operation(policy: Policy, request: Request) -> bool:
    operations = policy.match.operations
    return not operations or request.operation in operations


# --- the object ---


def settle(mutation: Mutation, wanted: Iterable[FillValue], definition: ResourceDefinition) -> None:
    """Set the open fields to their values. `mutation` knows the object's authorship as policies see it."""
    for one in wanted:
        path, declared = one.field.path, one.field.declared
        there, is_ours = lookup(mutation.object, path), _is_ours(mutation.object, one.field, mutation.authorship)
        default = declared.schema.default
        is_default = there is not None and there == default and mutation.authorship.may_be_default(path)
        if there is not None and not is_ours and not is_default:
            continue
        value = one.value if one.value is not None else (default if is_ours else there)
        if value is not None:
            _put(mutation, one, with_defaults(value, path, definition))
        elif is_ours:
            mutation.remove(_made_for(mutation.object, path, mutation.authorship), source=one.source, reason=one.reason)


def _put(mutation: Mutation, one: FillValue, value: JSONValue) -> None:
    path = one.field.path
    # The record has a copy, since another policy may add to the map.
    if not mutation.replace(path, value, source=one.source, reason=one.reason) or one.value is None:
        return
    kept = deep_copy(value)
    if isinstance(kept, list):
        # As for every filled-in list, the record has the items.
        mutation.provenance[-1:] = [Provenance((*path, index), item, one.source, one.reason) for index, item in enumerate(kept)]
    else:
        mutation.provenance[-1] = Provenance(path, kept, one.source, one.reason)


def with_defaults(value: JSONValue, path: Path, definition: ResourceDefinition) -> JSONValue:
    """The value as the server will store it, so that the record finds it again."""
    if not isinstance(value, (dict, list)):
        return value
    holder: JSONObject = {}
    inner = holder
    for step in path[:-1]:
        inner = inner.setdefault(str(step), {})
    inner[str(path[-1])] = deep_copy(value)
    definition.schema.default(holder)
    return lookup(holder, path)


def _is_ours(obj: JSONObject, filled: FilledField, authorship: Authorship) -> bool:
    """Whether a field has only what a policy filled in before."""
    there = lookup(obj, filled.path)
    if there is None or authorship.is_applied(filled.path):
        return False
    if not filled.is_list:
        return authorship.is_filled(obj, filled.path)
    ours = authorship.filled_items(obj, filled.path)
    return bool(there) and isinstance(there, list) and all(item in ours for item in there)


def unfilled(obj: JSONObject, fields: Iterable[FilledField], authorship: Authorship) -> JSONObject:
    """A copy of an object without the values that policies filled in before."""
    ours = [one for one in fields if _is_ours(obj, one, authorship)]
    if not ours:
        return obj
    bare: JSONObject = deep_copy(obj)
    for one in ours:
        gone = _made_for(bare, one.path, authorship)
        parent = lookup(bare, gone[:-1])
        if isinstance(parent, dict):
            parent.pop(str(gone[-1]), None)
        if one.declared.schema.default is not None and isinstance(inner := lookup(bare, one.path[:-1]), dict):
            inner[str(one.path[-1])] = deep_copy(one.declared.schema.default)
    return bare


def _made_for(obj: JSONObject, path: Path, authorship: Authorship) -> Path:
    """The maps around a value that are removed with it: those with nothing else that the author didn't write."""
    gone = path
    while len(gone) > 2 and lookup(obj, gone[:-1]) == {gone[-1]: lookup(obj, gone)} and not authorship.is_written(gone[:-1]):
        gone = gone[:-1]
    return gone
