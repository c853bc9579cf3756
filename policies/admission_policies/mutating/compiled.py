"""A MutatingAdmissionPolicy with its compiled expressions, and the change of an object by one of its mutations.

Source: k8s.io/apiserver pkg/admission/plugin/policy/mutating/{compilation,dispatcher}.go and patch/{smd,json_patch}.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from weighbridge.policies.admission_policies.environment import Expression, PolicyEnvironment
from weighbridge.policies.admission_policies.evaluation import BUDGET, OutOfBudgetError, Round
from weighbridge.policies.admission_policies.inputs import Inputs
from weighbridge.policies.admission_policies.mutating import wordings
from weighbridge.policies.admission_policies.mutating.declarations import MutatingPolicy, PolicyMutation
from weighbridge.policies.admission_policies.mutating.json_patch import PatchError, PatchOperation, UnmetTestError, apply_patch
from weighbridge.policies.admission_policies.mutating.merge import MergeError, apply_configuration
from weighbridge.policies.admission_policies.mutating.merge_types import Atom
from weighbridge.policies.admission_policies.mutating.natives import ConversionError, as_json, object_native
from weighbridge.policies.admission_policies.mutating.nil_lists import as_json_data
from weighbridge.policies.admission_policies.wordings import CHANGED_MANAGED_FIELDS
from weighbridge.policies.cel.check.environment import Environment, environment
from weighbridge.policies.cel.library import patches
from weighbridge.policies.cel.library.patches import JSON_PATCH, OBJECT, ObjectValue, PatchValue
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.access import pairs
from weighbridge.policies.cel.values.values import MapValue, NotKnownError, Value, type_name
from weighbridge.policies.cel.versions import Version, stored_rules_version
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import ServerRelease, release

_WANTED: Final = {True: types.list_of(JSON_PATCH), False: OBJECT}


class MutationError(Exception):
    """A mutation that fails; the text is the server's."""


@dataclass(frozen=True, slots=True)
class CompiledMutatingPolicy:
    """A policy and its expressions."""

    policy: MutatingPolicy
    variables: Mapping[str, Expression]
    conditions: Sequence[Expression]
    mutations: Sequence[Expression]

    def patched(self, index: int, inputs: Inputs, obj: JSONObject, atom: Atom | None, doubts: Mapping[Path, str]) -> JSONValue:
        """An object after a mutation; `obj` itself if a test of its patch fails.

        `atom` is the type by which the object merges, `None` if its kind has none; in the places of `doubts` the object isn't known. Raises
        MutationError and NotKnownError.
        """
        expression = self.mutations[index]
        if expression.program is None:
            raise MutationError(expression.error)
        try:
            result = Round(inputs, self.variables, BUDGET).result(expression)
        except OutOfBudgetError as error:
            raise MutationError(str(error)) from None
        if result.error:
            raise MutationError(result.error)
        if self.policy.mutations[index].is_patch:
            return _by_patch(result.value, obj, doubts)
        return _by_configuration(result.value, obj, atom)


def _by_configuration(value: Value, obj: JSONObject, atom: Atom | None) -> JSONObject:
    if value.__class__ is not ObjectValue:
        raise MutationError(wordings.not_an_object(type_name(value)))
    _check_names(value)
    try:
        configuration = object_native(value)
    except ConversionError:
        raise MutationError(wordings.NO_OBJECT) from None
    configuration |= {key: obj[key] for key in ("apiVersion", "kind") if key in obj}
    if atom is None:
        why = wordings.no_merge_type(obj.get("apiVersion", ""), obj.get("kind", ""))
        raise MutationError(wordings.configuration_failed(why))
    try:
        return apply_configuration(atom, obj, configuration)
    except MergeError as error:
        raise MutationError(wordings.configuration_failed(error)) from None


#: The server has written this field before it asks policies.
_MANAGED: Final = "/metadata/managedFields"


def _by_patch(value: Value, obj: JSONObject, doubts: Mapping[Path, str]) -> JSONValue:
    if value.__class__ is not list:
        raise MutationError(wordings.NO_LIST)
    operations = [_operation(one) for one in value]
    for path, why in doubts.items():
        if any(operation.touches(path) for operation in operations):
            raise NotKnownError(why)
    if any(pointer.startswith(_MANAGED) for operation in operations for pointer in (operation.path, operation.source)):
        raise NotKnownError(CHANGED_MANAGED_FIELDS)
    try:
        return apply_patch(as_json_data(obj), operations)
    except UnmetTestError:
        return obj
    except PatchError as error:
        raise MutationError(wordings.patch_failed(error)) from None


def _operation(value: Value) -> PatchOperation:
    if value.__class__ is not PatchValue:
        raise MutationError(wordings.not_an_operation(type_name(value)))
    fields = dict(value.built_fields)
    op, path, source = (fields.get(name, "") for name in ("op", "path", "from"))
    if "value" not in fields:
        return PatchOperation(op, path, source)
    if fields["value"].__class__ is ObjectValue:
        _check_names(fields["value"], root=False)
    try:
        return PatchOperation(op, path, source, as_json(fields["value"]))
    except ConversionError as error:
        raise MutationError(wordings.value_not_json(error)) from None


def _check_names(value: ObjectValue, *, root: bool = True) -> None:
    """Check that the names of the types in an object are their paths."""
    errors = list(_wrong_names(value, OBJECT.name if root else value.cel_type))
    if errors:
        raise MutationError(wordings.wrong_type_names(errors))


def _wrong_names(value: Value, path: str) -> Iterator[str]:
    if value.__class__ is ObjectValue:
        if value.cel_type != path:
            yield wordings.wrong_type_name(value.cel_type, path)
        for name, inner in value.built_fields.items():
            yield from _wrong_names(inner, f"{path}.{name}")
    elif value.__class__ is list:
        for inner in value:
            yield from _wrong_names(inner, path)
    elif value.__class__ is MapValue:
        for _, inner in pairs(value):
            yield from _wrong_names(inner, path)


def compile_policy(policy: MutatingPolicy) -> CompiledMutatingPolicy:
    """Compile the expressions of a policy as those of a stored one."""
    head = policy.head
    has_params = head.param_kind is not None
    env = PolicyEnvironment(has_params=has_params)
    patching = PolicyEnvironment(has_params=has_params, base=patching_environment(stored_rules_version()))
    variables: dict[str, Expression] = {}
    for variable in head.variables:
        variables[variable.name] = env.add_variable(variable.name, variable.expression)
        patching.declare(variable.name, variables[variable.name].type)
    return CompiledMutatingPolicy(
        policy,
        variables,
        [env.compile(condition.expression, types.BOOL) for condition in head.conditions],
        [compile_mutation(mutation, patching) for mutation in policy.mutations],
    )


def compile_mutation(mutation: PolicyMutation, patching: PolicyEnvironment) -> Expression:
    """Compile the expression of a mutation."""
    return patching.compile(mutation.expression, _WANTED[mutation.is_patch])


def patching_environment(version: Version) -> Environment:
    """The functions and types of mutations, with those of a version."""
    return _patching_environment(version, release())


@cache
def _patching_environment(version: Version, _server: ServerRelease) -> Environment:
    return environment(version).with_built(patches.PATCH_TYPES, patches.LIBRARY)
