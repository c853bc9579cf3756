"""The one entry point: a request, the facts and the configuration in, a decision out.

`decide` takes a request through the steps of its way (`weighbridge.policies.verdict.steps`): decode, mutate, validate, demand, predict
and judge, as far as the door wants them; then it decides. Each door calls it with its phase; the verdict is the same function at every
door. Whatever fails inside is a decision too, by the configured mode.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from weighbridge.policies.apiserver.admission import headers
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.deadline import DeadlineExceededError, TimedStore
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.findings import Decision, Provenance, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation, Path
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict import steps
from weighbridge.policies.verdict.annotation import provenance_of_record
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials
from weighbridge.policies.verdict.judgement import INTERNAL_RULE, audit_annotations, denial_text, failure_finding
from weighbridge.policies.verdict.steps import Admission
from weighbridge.policies.verdict.unfamiliar_kinds import judge_definition, judge_unknown

_log = logging.getLogger("weighbridge.engine")


class Phase(StrEnum):
    """Which part of the way a door wants walked."""

    WHOLE = "whole"  # offline: from the manifest to the stored object
    APISERVER = "apiserver"  # what kube-apiserver does by itself
    MUTATE = "mutate"  # the mutating webhook: decoded and defaulted already
    VALIDATE = "validate"  # the validating webhook: valid by schema and CEL already


#: The steps that each door wants, in their order.
_STEPS: Final[dict[Phase, tuple[Callable[[Admission], None], ...]]] = {
    Phase.WHOLE: (steps.decode, steps.mutate, steps.validate, steps.demand, steps.predict, steps.judge),
    Phase.APISERVER: (steps.decode, steps.validate),
    Phase.MUTATE: (steps.mutate,),
    Phase.VALIDATE: (steps.demand, steps.predict, steps.judge),
}


def _never() -> bool:
    return False


def decide(
    request: Request,
    facts: Facts,
    config: Configuration,
    phase: Phase = Phase.WHOLE,
    *,
    duplicates: Sequence[Path] = (),
    expired: Callable[[], bool] = _never,
    explains: bool = True,
) -> Decision:
    """The verdict on `request`; never raises.

    `duplicates` are the fields that stood twice in the text that the object was read from. `expired` is asked between the steps and at
    looks at other objects; once it says yes the decision is the configured mode's. Unless the caller `explains`, what is predicted isn't
    written down for people.
    """
    is_offline = phase in {Phase.WHOLE, Phase.APISERVER}
    if expired is not _never:
        # Rules, predictions and placements look at objects all the time: there the deadline holds within a step too.
        facts = replace(facts, objects=TimedStore(facts.objects, expired))
    admission = Admission(request, facts, config, duplicates, expired, is_offline, request.object)
    try:
        admission.config = config.within(request.namespace)
        _walk(admission, phase)
    except DeadlineExceededError:
        _fail(admission, config, "the deadline passed before the verdict was ready")
    except Exception as defect:
        _log.exception("the engine failed on %s %s", request.gvk, request.uid)
        _fail(admission, config, f"{type(defect).__name__} in the engine")
    _hide_credentials(admission)
    return _decision(admission, explains=explains and is_offline)


def _walk(admission: Admission, phase: Phase) -> None:
    """Find out what the request is about, and take it through the steps of the phase."""
    request, is_whole = admission.request, phase is Phase.WHOLE
    admission.family = family_of(_addressed_group(request))
    if admission.family is not None and is_whole:
        # Offline the words are those that the API server passes on to the user, with the webhook's name before them.
        deletes = request.operation is Operation.DELETE
        admission.webhook = admission.family.deletion_webhook() if deletes else admission.family.validating_webhook()
    if request.operation is Operation.DELETE and phase in {Phase.WHOLE, Phase.VALIDATE}:
        steps.judge_deletion(admission)
        return
    if request.operation not in {Operation.CREATE, Operation.UPDATE}:
        return
    if admission.is_offline and _is_definition(request):
        judge_definition(admission)
        return
    admission.definition = _definition(request, admission.facts)
    if admission.is_offline and admission.definition is None:
        judge_unknown(admission, is_whole=is_whole)
        return
    for step in _STEPS[phase]:
        step(admission)
        if admission.object is None:
            # The server couldn't read the body.
            return


def _addressed_group(request: Request) -> str:
    """The API group of the resource, also where the body is of a subresource with a kind of another group."""
    return request.resource.group if request.subresource and request.resource is not None else request.gvk.group


def _definition(request: Request, facts: Facts) -> ResourceDefinition | None:
    """The definition of the kind; of a subresource with a kind of its own (`scale`) that of the resource it belongs to."""
    addressed = request.resource if request.subresource else None
    if addressed is not None:
        return facts.definitions.by_resource(addressed.group, addressed.version, addressed.resource)
    return facts.definitions.get(request.gvk)


def _is_definition(request: Request) -> bool:
    return (request.gvk.group, request.gvk.version, request.gvk.kind) == ("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


def _fail(admission: Admission, config: Configuration, what: str) -> None:
    """Answer a failure of the engine itself as the configured mode says."""
    finding = failure_finding(what, config)
    admission.object = admission.request.object
    admission.patch, admission.provenance = [], []
    admission.findings.append(finding)
    admission.unchecked.append(Unchecked(str(admission.request.gvk), what))
    if finding.severity is not Severity.ERROR:
        admission.refusal = None
        admission.warnings.append(f"{INTERNAL_RULE} {finding}")


def _all_filled(admission: Admission) -> Sequence[Provenance]:
    """What the object has that was filled in, by this request or one before."""
    if admission.family is None or not isinstance(admission.object, dict):
        return admission.filled
    told = provenance_of_record(admission.object, admission.family.filled_fields(admission.request.gvk.kind))
    paths = {entry.path for entry in admission.filled}
    return [*admission.filled, *(entry for entry in told if entry.path not in paths)]


def _hide_credentials(admission: Admission) -> None:
    """Take credentials out of all words, before any is cut or put together with others."""
    discretion = HiddenCredentials(admission.request.object, admission.request.old_object)
    admission.findings = list(map(discretion.finding, admission.findings))
    admission.warnings = list(map(discretion.words, admission.warnings))
    admission.unchecked = list(map(discretion.unchecked, admission.unchecked))
    admission.provenance = list(map(discretion.provenance, admission.provenance))
    admission.refusal = discretion.refusal(admission.refusal) if admission.refusal is not None else None
    admission.placement = discretion.placement(admission.placement) if admission.placement is not None else None


def _decision(admission: Admission, *, explains: bool) -> Decision:
    errors = [finding for finding in admission.findings if finding.severity is Severity.ERROR]
    created = admission.request.operation is Operation.CREATE
    code, message = (201 if created else 200), ""
    causes: Sequence[JSONObject] = ()
    if admission.refusal is not None:
        code, message, causes = admission.refusal.code, admission.refusal.message, admission.refusal.causes
    elif errors:
        code, message = 403, denial_text(errors, admission.webhook)
        causes = [{"reason": finding.reason, "message": f"{finding.rule}: {finding.message}", "field": finding.field} for finding in errors]
    return Decision(
        allowed=not message,
        code=code,
        message=message,
        causes=causes,
        # What a webhook says is cut and counted by the API server, together with its own.
        warnings=tuple(headers(admission.warnings) if admission.is_offline else dict.fromkeys(admission.warnings)),
        findings=tuple(admission.findings),
        patch=tuple(admission.patch),
        provenance=tuple(admission.provenance),
        object=admission.object,
        unchecked=tuple(admission.unchecked),
        audit_annotations=audit_annotations(admission.findings, admission.filled),
        cel_cost=admission.cel_cost,
        placement=admission.placement,
        never_runs=admission.never_runs,
        skipped=admission.skipped,
        crd=admission.demands.as_json() if admission.demands is not None and admission.is_offline else None,
        effective=admission.prediction.as_json(_all_filled(admission)) if admission.prediction is not None and explains else None,
    )
