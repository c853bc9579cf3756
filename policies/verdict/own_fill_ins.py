"""The fill-ins of the configuration's policies, together with those of the family.

The family fills in first, and policies fill in what it leaves open. If they do, the family fills in the object with these values once more,
so that its values follow from the final object. Then an update without a change changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from weighbridge.policies.apiserver.admission import redefault
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.policies import Policy
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import family_of
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, Path, name_of, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.schema.object_meta import stored_numbers
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy
from weighbridge.policies.user_policies.fill_ins import (
    Answers,
    FillValue,
    asked_policies,
    fields_of,
    settle,
    unfilled,
)
from weighbridge.policies.user_policies.inputs import Made, MissingFactError, RequestInputs
from weighbridge.policies.user_policies.verdict import KindPolicies, compiled_for
from weighbridge.policies.verdict.judgement import enforce
from weighbridge.policies.verdict.policy_findings import weighed_policies
from weighbridge.policies.verdict.way import Context, Found


class Filled(NamedTuple):
    """The object with all filled-in values, the findings about policies that fail, and what isn't known."""

    mutation: Mutation
    findings: Sequence[Finding] = ()
    unchecked: Sequence[Unchecked] = ()


class _Filling(NamedTuple):
    """Fills in one object."""

    context: Context
    family: Family
    definition: ResourceDefinition
    authorship: Authorship

    def by_family(self, mutation: Mutation) -> None:
        """Fill in the family's values."""
        fill = self.family.fill.get(self.context.request.gvk.kind)
        mutation.authorship = self.authorship.of_families()
        if fill is not None:
            # The request's memory may be about another state of the object.
            request = replace(self.context.request)
            fill(mutation, request, self.context.facts, self.context.config)
            request.forget()

    def by_policies(self, mutation: Mutation, wanted: Iterable[FillValue]) -> None:
        """Fill in the policies' values."""
        mutation.authorship = self.authorship.of_policies()
        settle(mutation, wanted, self.definition)


def filled_in(context: Context, found: Found, mutation: Mutation) -> Mutation:
    """The request's object with all filled-in values, which replaces an empty mutation."""
    known = _filled(context, mutation.object, mutation.authorship)
    found.unchecked += known.unchecked
    found.tell(known.findings)
    return known.mutation


def fill_companion(obj: JSONObject, authorship: Authorship, request: Request, facts: Facts, config: Configuration) -> JSONObject:
    """An object that comes with the judged one, such as its model in the same folder, with all filled-in values."""
    family, definition = family_of(request.gvk.group), facts.definitions.get(request.gvk)
    context = Context(request, facts, config.within(request.namespace), is_offline=True, family=family, definition=definition)
    return _filled(context, obj, authorship, is_companion=True).mutation.object


def stale_values_of_policies(obj: JSONObject, family: Family, facts: Facts, config: Configuration, *, by_others: bool) -> list[Path]:
    """The fields of a stored object that policies have filled in and would fill in differently now, on an update without a change.

    Policies run only for an object that still has a value of theirs. If `by_others`, another object has changed, so only policies run that
    may depend on others.
    """
    gvk, authorship = GroupVersionKind.from_object(obj), Authorship.of_object(obj)
    fields = config.fields_of_policies(gvk) if gvk is not None else frozenset[Path]()
    recorded = dict.fromkeys(entry.field for entry in authorship.of_policies().kept(obj, fields)) if fields else {}
    definition = facts.definitions.get(gvk) if gvk is not None else None
    if not recorded or gvk is None or definition is None or config.policies is None:
        return []
    source, namespace = stored_numbers(obj), namespace_of(obj)
    request = Request("", Operation.UPDATE, gvk, source, obj, namespace=namespace, name=name_of(obj))
    context = Context(request, facts, config.within(namespace), is_offline=True, family=family, definition=definition)
    filling, known = _Filling(context, family, definition, authorship), compiled_for(config.policies, definition, facts.definitions)
    asked = asked_policies(known, request, lambda policy: _is_in_force(policy, context))
    meant = [one for one in asked if not by_others or one in known.going_by_others]
    if recorded.keys().isdisjoint(one.path for one in fields_of(meant)):
        return []
    answers, taken = _answers(filling, known, source, asked, meant)
    mutation = Mutation(source)
    filling.by_policies(mutation, [one for one in answers.wanted if not any(_is_within(path, one.field.path) for path in taken)])
    changed = [entry.path for entry in mutation.provenance]
    return [field for field in recorded if any(_is_within(path, field) or _is_within(field, path) for path in changed)]


def _filled(context: Context, source: JSONObject, authorship: Authorship, *, is_companion: bool = False) -> Filled:
    """Fill in `source`, which is the caller's copy. What the operator creates for a companion isn't known."""
    family, definition, policies = context.family, context.definition, context.config.policies
    if family is None or definition is None or policies is None:
        return Filled(Mutation(source, authorship))
    filling = _Filling(context, family, definition, authorship)
    known = compiled_for(policies, definition, context.facts.definitions)
    asked = asked_policies(known, context.request, lambda policy: _is_in_force(policy, context))
    if not asked:
        mutation = Mutation(source)
        filling.by_family(mutation)
        mutation.authorship = authorship
        return Filled(mutation)
    answers, taken = _answers(filling, known, source, asked, asked, is_companion=is_companion)
    mutation = _with_both(filling, source, answers.wanted, taken)
    findings = weighed_policies(answers.said, context.request, context.config, context.facts.objects)
    return Filled(mutation, findings, [one.finding for one in answers.said if isinstance(one.finding, Unchecked)])


def _answers(
    filling: _Filling,
    known: KindPolicies,
    source: JSONObject,
    all_asked: Sequence[CompiledPolicy],
    asked: Sequence[CompiledPolicy],
    *,
    is_companion: bool = False,
) -> tuple[Answers, list[Path]]:
    """The values that policies give for an object, and the fields that the family fills in. Policies don't see each other's values."""
    context = filling.context
    seen = Mutation(deep_copy(unfilled(source, fields_of(all_asked), filling.authorship.of_policies())))
    filling.by_family(seen)
    redefault(seen.object, filling.definition)
    request = replace(context.request, object=seen.object)
    inputs = _inputs(request, known, context, filling.family, is_companion=is_companion)
    answers = Answers(asked, inputs, context.facts, context.check_deadline)
    request.forget()
    return answers, [entry.path for entry in seen.provenance]


def _is_in_force(policy: Policy, context: Context) -> bool:
    """Whether a policy's errors would be errors or warnings. One that is off, only audited or excepted from fills in nothing."""
    error = Finding(policy.id, Severity.ERROR, (), "")
    weighed = enforce([error], context.config, context.request, context.facts.objects)
    return any(finding.severity is not Severity.NOTE for finding in weighed)


def _inputs(request: Request, known: KindPolicies, context: Context, family: Family, *, is_companion: bool) -> RequestInputs:
    def made() -> Made:
        if is_companion:
            # Its prediction may need that of the judged object, and so on.
            raise MissingFactError("what the operator creates for another object isn't predicted")
        predict = family.predict.get(request.gvk.kind)
        prediction = predict(request, context.facts, context.config) if predict is not None else None
        return Made(prediction, None, predict is not None)

    return RequestInputs(request, context.facts, context.config, made, known.wanted)


def _with_both(filling: _Filling, source: JSONObject, wanted: Sequence[FillValue], taken: Sequence[Path]) -> Mutation:
    """The object with the policies' values, except in the family's fields (`taken`), and then with the family's values."""
    # A value within one of the family's values is added to that.
    late = [one for one in wanted if any(_is_within(one.field.path, path) for path in taken)]
    early = [one for one in wanted if one not in late and not any(_is_within(path, one.field.path) for path in taken)]
    mutation = Mutation(source)
    filling.by_policies(mutation, early)
    filling.by_family(mutation)
    filling.by_policies(mutation, late)
    mutation.authorship = filling.authorship
    return mutation


def _is_within(path: Path, outer: Path) -> bool:
    return path[: len(outer)] == outer
