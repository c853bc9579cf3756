"""Evaluates the cluster's MutatingAdmissionPolicies for a request, and applies their changes to its object.

Policies and bindings are sorted by name. The server has no order, so if several change the same field, any of the changes may last there.
If an object has changed, the policies that ask for it run once more. Source: k8s.io/apiserver
pkg/admission/plugin/policy/mutating/{dispatcher,reinvocationcontext}.go, policy/generic/policy_dispatcher.go and
pkg/admission/reinvocation.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from weighbridge.policies.admission_policies.attributes import Attributes
from weighbridge.policies.admission_policies.bindings import bound, not_checked
from weighbridge.policies.admission_policies.conditions import ConditionError, conditions_hold
from weighbridge.policies.admission_policies.declarations import MUTATING_BINDING, MUTATING_POLICY, BindingHead, read_binding_head
from weighbridge.policies.admission_policies.inputs import inputs_of, versioned
from weighbridge.policies.admission_policies.matching import Matched, is_exempt, matched, may_match
from weighbridge.policies.admission_policies.mutating import wordings
from weighbridge.policies.admission_policies.mutating.changes import changes
from weighbridge.policies.admission_policies.mutating.compiled import CompiledMutatingPolicy, MutationError, compile_policy
from weighbridge.policies.admission_policies.mutating.declarations import read_policy
from weighbridge.policies.admission_policies.mutating.foreign import ServerPanicError
from weighbridge.policies.admission_policies.mutating.kinds import CustomKind, MutatedKind
from weighbridge.policies.admission_policies.mutating.nil_lists import in_memory, mark_nil, nil_paths
from weighbridge.policies.admission_policies.mutating.schema_fit import ChangedError, fit
from weighbridge.policies.admission_policies.parameters import BindingError, PolicyError, check_param_kind, parameters_of
from weighbridge.policies.admission_policies.wordings import (
    CHANGED_MANAGED_FIELDS,
    denied,
    misconfigured_binding,
    misconfigured_policy,
    with_binding,
)
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.cel.values.values import NotKnown, NotKnownError
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Provenance, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.schema.go_values import deep_equal

if TYPE_CHECKING:
    from weighbridge.policies.admission_policies.mutating.built_in_kind import BuiltInKind

_ASKED: Final = frozenset({Operation.CREATE, Operation.UPDATE, Operation.CONNECT})
#: A policy with a binding and a parameter, by their names.
_Key: TypeAlias = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class MutationDenial:
    """Why a policy refuses a request; `binding` is empty if the policy itself is misconfigured."""

    policy: str
    binding: str
    message: str

    @property
    def text(self) -> str:
        """The text without the object."""
        by = wordings.by_binding(self.policy, self.binding) if self.binding else wordings.by_policy(self.policy)
        return denied(by, self.message)


@dataclass(frozen=True, slots=True)
class _Invocation:
    """A policy with a binding and one of its parameters."""

    compiled: CompiledMutatingPolicy
    binding: str
    matched: Matched
    params: JSONObject | None

    @property
    def key(self) -> _Key:
        return self.compiled.policy.head.name, self.binding, namespace_of(self.params), name_of(self.params)

    @property
    def source(self) -> str:
        """The policy and its binding, as reports name them."""
        return with_binding(MUTATING_POLICY, self.compiled.policy.head.name, self.binding)


@dataclass(slots=True)
class Mutated:
    """An object with the changes of the policies so far; a refusal ends the request."""

    object: JSONValue
    provenance: list[Provenance] = field(default_factory=list)
    refusal: Refusal | None = None
    #: The texts of the server for the refusal.
    denials: list[str] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    #: Whether the policies have to run once more.
    is_due: bool = False
    #: The places of empty lists that are null once the object is stored.
    nil: tuple[Path, ...] = ()
    #: Why the object can't be stored in the end.
    unstorable: str = ""
    #: The object, if it is of a built-in kind.
    built_in: BuiltInKind | None = None
    #: Why no policy can get it.
    unreadable: str = ""
    _asked: set[_Key] = field(default_factory=set)
    _again: set[_Key] = field(default_factory=set)

    def note_change(self) -> None:
        """Note that the object has changed, so that policies that ran before and ask for it run again."""
        self.is_due = True
        self._again |= self._asked
        self._asked = set()

    def is_asked_again(self, key: _Key) -> bool:
        """Whether a policy runs in the second round."""
        return key in self._again

    def note_asked(self, key: _Key) -> None:
        """Note that a policy that asks for a second run has run."""
        self._asked.add(key)


def mutate(attributes: Attributes, facts: Facts) -> Mutated:
    """The first round: the request's object after every policy has run once."""
    found = Mutated(attributes.object)
    _ask(found, attributes, facts, is_again=False)
    return found


def mutate_again(found: Mutated, attributes: Attributes, facts: Facts) -> None:
    """The second round, with the object as other admission has left it; skipped if nothing has changed since."""
    if not deep_equal(found.object, attributes.object):
        found.object, found.nil = attributes.object, ()
        found.note_change()
    if found.is_due and found.refusal is None:
        found.is_due = False
        _ask(found, attributes, facts, is_again=True)


def _ask(found: Mutated, attributes: Attributes, facts: Facts, *, is_again: bool) -> None:
    if is_exempt(attributes) or attributes.operation not in _ASKED or not isinstance(attributes.object, dict):
        return
    denials: list[MutationDenial] = []
    unchecked: list[Unchecked] = []
    bound = [(compiled, bindings) for compiled, bindings in _bound(facts) if may_match(compiled.policy.head.match, attributes, facts)]
    if bound and facts.definitions.get(attributes.kind) is None and not attributes.subresource:
        attributes = _taken(found, attributes, facts)
    invocations = [
        invocation for compiled, bindings in bound for invocation in _invocations(compiled, bindings, attributes, facts, denials, unchecked)
    ]
    _Round(found, attributes, facts, denials).run(invocations, is_again=is_again)
    found.unchecked += (entry for entry in unchecked if entry not in found.unchecked)
    if denials and found.refusal is None:
        found.denials = [denial.text for denial in denials]
        found.refusal = Refusal(403, denials[0].text, [{"message": denial.text} for denial in denials])


def _taken(found: Mutated, attributes: Attributes, facts: Facts) -> Attributes:
    """A request about an object of a built-in kind, with the object as the policies get it."""
    from weighbridge.policies.admission_policies.built_in.objects import read_old
    from weighbridge.policies.admission_policies.mutating.built_in_kind import built_in_kind

    try:
        found.built_in = built_in_kind(attributes, facts)
    except NotKnownError as error:
        found.unreadable = str(error)
        return attributes
    return replace(attributes, object=found.built_in.taken.object, old_object=read_old(attributes.old_object, attributes.kind))


def _bound(facts: Facts) -> Sequence[tuple[CompiledMutatingPolicy, Sequence[BindingHead]]]:
    """The policies that have bindings, each with its bindings."""
    return bound((MUTATING_POLICY, _compiled), (MUTATING_BINDING, _read), facts)


def _compiled(policy: JSONObject) -> CompiledMutatingPolicy:
    return compile_policy(read_policy(policy))


def _read(binding: JSONObject) -> tuple[str, BindingHead]:
    found = read_binding_head(binding)
    return found.policy, found


def _invocations(
    compiled: CompiledMutatingPolicy,
    bindings: Sequence[BindingHead],
    attributes: Attributes,
    facts: Facts,
    denials: list[MutationDenial],
    unchecked: list[Unchecked],
) -> Iterator[_Invocation]:
    """The invocations of a policy for a request: each matching binding with each of its parameters."""
    head = compiled.policy.head
    try:
        as_matched = matched(head.match, attributes, facts)
        if as_matched is None:
            return
        check_param_kind(head, facts)
    except NotKnownError as error:
        unchecked.append(not_checked(MUTATING_POLICY, head.name, "", error))
        return
    except PolicyError as error:
        if head.fails:
            denials.append(MutationDenial(head.name, "", misconfigured_policy(error)))
        return
    for binding in bindings:
        try:
            if binding.match is not None and matched(binding.match, attributes, facts) is None:
                continue
            every = parameters_of(head, binding.param_ref, attributes.namespace, facts)
        except NotKnownError as error:
            unchecked.append(not_checked(MUTATING_POLICY, head.name, binding.name, error))
        except BindingError as error:
            if head.fails:
                denials.append(MutationDenial(head.name, binding.name, misconfigured_binding(error)))
        else:
            yield from (_Invocation(compiled, binding.name, as_matched, params) for params in every)


class _Round:
    """One round of all policies: the object in each version in which policies want it."""

    def __init__(self, found: Mutated, attributes: Attributes, facts: Facts, denials: list[MutationDenial]) -> None:
        self._found = found
        self._attributes = attributes
        self._facts = facts
        self._denials = denials
        self._objects: dict[str, JSONObject] = {}
        self._last = ""
        self._source = ""

    def run(self, invocations: Sequence[_Invocation], *, is_again: bool) -> None:
        """Run each policy in turn; the result is the object after the last one."""
        dirty: set[str] = set()
        for invocation in invocations:
            try:
                if self._ask(invocation, dirty, is_again=is_again):
                    self._last = invocation.matched.kind.api_version
            except NotKnownError as error:
                entry = not_checked(MUTATING_POLICY, invocation.compiled.policy.head.name, invocation.binding, error)
                self._found.unchecked += [entry] if entry not in self._found.unchecked else []
            except ServerPanicError as error:
                self._found.unchecked.append(Unchecked(invocation.source, str(error)))
                return
            if self._found.refusal is not None:
                return
        if self._last in dirty:
            self._found.note_change()
            self._settle(self._objects[self._last])

    def _ask(self, invocation: _Invocation, dirty: set[str], *, is_again: bool) -> bool:
        """Run one policy. Returns whether its mutations ran."""
        version = invocation.matched.kind.api_version
        before = self._objects.get(version)
        if before is None:
            found = versioned(self._attributes.object, self._attributes, invocation.matched, self._facts)
            assert isinstance(found, dict)  # noqa: S101 - `_ask` has looked
            before = self._objects[version] = mark_nil(found, self._found.nil) if self._found.nil else found
        if not self._is_meant(invocation, before) or (is_again and not self._found.is_asked_again(invocation.key)):
            return False
        for index in range(len(invocation.compiled.mutations)):
            if self._mutate(invocation, index, version):
                dirty.add(version)
            if self._found.refusal is not None:
                return True
        was, now = in_memory(before), in_memory(self._objects[version])
        if not deep_equal(was, now):
            self._found.note_change()
            self._record(invocation, was, now)
        if invocation.compiled.policy.is_reinvoked:
            self._found.note_asked(invocation.key)
        return True

    def _seen(self, invocation: _Invocation, obj: JSONObject) -> Attributes:
        """The request with the present object, in the version that the policy wants."""
        return replace(self._attributes, object=as_seen(self._kind(invocation).seen(in_memory(obj))))

    def _is_meant(self, invocation: _Invocation, obj: JSONObject) -> bool:
        """Whether the policy's match conditions are true."""
        compiled = invocation.compiled
        if not compiled.conditions:
            return True
        attributes = self._seen(invocation, obj)
        inputs = inputs_of(attributes, invocation.matched, invocation.params, compiled.policy.head.param_kind, self._facts)
        seen = inputs.of_conditions(attributes, invocation.matched)
        try:
            return conditions_hold(compiled.conditions, compiled.variables, seen, fails=compiled.policy.head.fails)
        except ConditionError as error:
            self._deny(invocation, str(error))
            return False

    def _mutate(self, invocation: _Invocation, index: int, version: str) -> bool:
        """Run one mutation. Returns whether it succeeded."""
        obj, kind = self._objects[version], self._kind(invocation)
        policy = invocation.compiled.policy
        inputs = inputs_of(self._seen(invocation, obj), invocation.matched, invocation.params, policy.head.param_kind, self._facts)
        try:
            patched = invocation.compiled.patched(index, inputs, obj, kind.atom, kind.doubts)
            self._objects[version] = kind.read_again(obj, patched, is_patch=policy.mutations[index].is_patch)
        except MutationError as error:
            self._deny(invocation, str(error))
            return False
        except ChangedError as error:
            self._refuse(error)
            return False
        return True

    def _kind(self, invocation: _Invocation) -> MutatedKind:
        """The kind as which an object is changed."""
        matched_kind, built_in = invocation.matched.kind, self._found.built_in
        definition = self._facts.definitions.get(matched_kind)
        if definition is not None or self._is_custom_scale():
            return CustomKind(definition, matched_kind.api_version)
        if built_in is None:
            raise NotKnownError(self._found.unreadable or wordings.subresource_of_built_in(self._attributes.subresource))
        return built_in

    def _is_custom_scale(self) -> bool:
        resource = self._attributes.resource
        found = self._facts.definitions.by_resource(resource.group, resource.version, resource.resource)
        return self._attributes.subresource == "scale" and found is not None

    def _refuse(self, error: ChangedError) -> None:
        self._found.refusal = error.refusal
        self._found.denials = [error.refusal.message]

    def _deny(self, invocation: _Invocation, message: str) -> None:
        head = invocation.compiled.policy.head
        if head.fails:
            self._denials.append(MutationDenial(head.name, invocation.binding, message))

    def _record(self, invocation: _Invocation, before: JSONObject, after: JSONObject) -> None:
        self._source = invocation.source
        kinds = dict.fromkeys(mutation.kind for mutation in invocation.compiled.policy.mutations)
        reason = wordings.changed_by(kinds)
        if self._found.built_in is not None:
            before, after = map(self._found.built_in.as_given, (before, after))
        found = {path: Provenance(path, value, invocation.source, reason) for path, value in changes(before, after)}
        self._found.provenance = [entry for entry in self._found.provenance if entry.path not in found] + list(found.values())

    def _record_the_rest(self, given: JSONObject, sent: JSONObject) -> None:
        """Record the defaults that are written out, because the server would fill in other values now."""
        noted = {entry.path for entry in self._found.provenance}
        for path, value in changes(given, sent):
            if not any(path[:length] in noted for length in range(len(path) + 1)):
                self._found.provenance.append(Provenance(path, value, self._source, wordings.KEPT_DEFAULT))

    def _settle(self, obj: JSONObject) -> None:
        """Convert the object back to the version of the request, as the server does."""
        definition = self._facts.definitions.get(self._attributes.kind)
        if self._found.built_in is not None:
            self._found.object = self._found.built_in.as_sent(obj, self._attributes, self._facts)
            self._record_the_rest(self._found.built_in.given, self._found.object)
            return
        assert definition is not None  # noqa: S101 - no other object is changed
        try:
            self._found.object, self._found.nil = fit(in_memory(obj), definition), tuple(nil_paths(obj))
        except ChangedError as error:
            self._refuse(error)


def as_seen(obj: JSONObject) -> JSONObject:
    """An object as expressions of mutating policies see it: at that point the server has only written managedFields."""
    if "metadata" not in obj:
        return obj
    return {**obj, "metadata": {**metadata_of(obj), "managedFields": NotKnown(CHANGED_MANAGED_FIELDS)}}
