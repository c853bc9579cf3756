"""Runs the policies of the configuration, and treats their findings like those of rules.

An exception from a policy, or `off` for it, also applies to its failure.
"""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.user_policies.evaluation import Said
from weighbridge.policies.user_policies.inputs import Made
from weighbridge.policies.user_policies.verdict import said_of
from weighbridge.policies.verdict.judgement import enforce, ratchet
from weighbridge.policies.verdict.prediction import PlacedPrediction
from weighbridge.policies.verdict.way import Context, Found

_NOT_ASKED = Unchecked("the policies of the configuration", "the server skips them, since the object has errors")


def governed(context: Context, found: Found, request: Request, predicted: PlacedPrediction) -> list[Finding]:
    """The findings of all policies. On an update, an error that the stored object has too becomes a warning."""
    family, definition = context.family, context.definition
    if family is None or definition is None:
        return []
    if found.refusal is not None:
        found.unchecked.append(_NOT_ASKED)
        return []
    is_predicted = request.gvk.kind in family.predict

    def made() -> Made:
        return Made(predicted.prediction, predicted.placement, is_predicted)

    said = list(said_of(request, context.facts, context.config, definition, made, check_deadline=context.check_deadline))
    # A reason why a policy can't be evaluated may also keep it from filling in.
    found.unchecked += (one.finding for one in said if isinstance(one.finding, Unchecked) and one.finding not in found.unchecked)
    findings = [one for one in weighed_policies(said, request, context.config, context.facts.objects) if one not in found.findings]
    if request.operation is Operation.UPDATE and any(finding.severity is Severity.ERROR for finding in findings):
        stored = replace(request, object=request.old_object, manifest=None)
        findings = ratchet(findings, _of_stored(stored, context, family, definition))
        stored.forget()
    return findings


def _of_stored(stored: Request, context: Context, family: Family, definition: ResourceDefinition) -> list[Finding]:
    facts, config = context.facts, context.config

    def made() -> Made:
        predict = family.predict.get(stored.gvk.kind)
        return Made(predict(stored, facts, config) if predict is not None else None, None, predict is not None)

    said = said_of(stored, facts, config, definition, made, is_stored=True, check_deadline=context.check_deadline)
    return [one.finding for one in said if isinstance(one.finding, Finding)]


def weighed_policies(said: Iterable[Said], request: Request, config: Configuration, store: ObjectStore) -> list[Finding]:
    """The findings of policies with their configured severities."""
    found: list[Finding] = []
    for one in said:
        if isinstance(one.finding, Unchecked):
            continue
        if not one.is_failure:
            found += enforce([one.finding], config, request, store)
            continue
        # Settings for the policy also apply to its failure.
        of_policy = replace(one.finding, rule=one.policy.id)
        weighed = enforce([of_policy], config, request, store)
        if weighed and weighed[0].exempted:
            found.append(replace(weighed[0], rule=one.finding.rule))
        elif weighed:
            found += enforce([one.finding], config, request, store)
    return found
