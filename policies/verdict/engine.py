"""The one entry point: `decide` takes a request, the facts and the configuration, and returns a decision.

`WAYS` has the steps that `decide` takes one after the other, for what a request is about and for a phase: a door passes its own, and
offline it is the whole way. If the engine fails, the configured mode gives the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from weighbridge.policies.apiserver.admission import headers
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.demands import Demands
from weighbridge.policies.apiserver.unknown_fields import UNKNOWN_FIELD
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.deadline import DeadlineExceededError, TimedStore
from weighbridge.policies.families import family_of
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.defects import log
from weighbridge.policies.ground.findings import Decision, Finding, Provenance, Severity, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, Path
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.server_release import judging
from weighbridge.policies.verdict.annotation import provenance_of_record
from weighbridge.policies.verdict.cluster_policies import (
    ask_policies,
    ask_policies_as_given,
    ask_policies_of_connection,
    ask_policies_of_deletion,
    check_types,
    decode_policy,
    is_policy,
    validate_policy,
)
from weighbridge.policies.verdict.effects import affect, affect_by_deletion, affect_readers
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials
from weighbridge.policies.verdict.impact import let_policies_fill_in
from weighbridge.policies.verdict.judgement import (
    INTERNAL_RULE,
    INVALID_FIELD,
    NO_MATCHES,
    audit_annotations,
    denial_text,
    failure_finding,
    first_errors,
    shortened,
)
from weighbridge.policies.verdict.mutating_policies import (
    change_by_policies,
    change_by_policies_again,
    change_by_policies_as_given,
    read_back,
    take_changes,
    with_origins,
)
from weighbridge.policies.verdict.prediction import NOT_PREDICTED, PlacedPrediction
from weighbridge.policies.verdict.steps import (
    decode,
    demand,
    govern,
    judge,
    mutate,
    predict,
    receive,
    rewrite,
    subject,
    tell,
    validate,
)
from weighbridge.policies.verdict.unfamiliar_kinds import (
    decode_crd,
    look_up_kind,
    refuse_duplicates,
    take_as_given,
    tell_where,
    validate_crd,
)
from weighbridge.policies.verdict.way import Body, Changed, Context, Found, Judged, Results, Ruled, Step, Way, never, walk


class Phase(StrEnum):
    """The part of the way that a door asks for."""

    WHOLE = "whole"  # offline: from the manifest to the stored object
    APISERVER = "apiserver"  # what kube-apiserver does by itself
    MUTATE = "mutate"  # the mutating webhook: decoded and defaulted already
    VALIDATE = "validate"  # the validating webhook: valid by schema and CEL already


class About(StrEnum):
    """What a request is about."""

    OBJECT = "object"  # an object is created or updated
    UNKNOWN = "unknown kind"  # the same, offline, and no definition of its kind is known
    DEFINITION = "CRD"  # a CustomResourceDefinition is created or updated, offline
    POLICY = "policy"  # an admission policy or a binding of one is created or updated, offline
    DELETION = "deletion"
    CONNECTION = "connection"  # as by `kubectl exec`


#: The findings that follow from the CRD of a kind.
_OF_CRDS: Final = frozenset({UNKNOWN_FIELD, INVALID_FIELD, NO_MATCHES})

_DECODE: Final = Step(decode, gives=Body)
_RECEIVE: Final = Step(receive, gives=Body)
_CHANGE: Final = (Step(change_by_policies, needs=(Body,), gives=Changed), Step(take_changes, needs=(Body, Changed), gives=Body))
_CHANGE_AGAIN: Final = Step(change_by_policies_again, needs=(Body, Changed), gives=Body)
_READ_BACK: Final = Step(read_back, needs=(Body, Changed), gives=Body)
_CHANGE_AS_GIVEN: Final = Step(change_by_policies_as_given, gives=Body)
_MUTATE: Final = Step(mutate, needs=(Body,), gives=Body)
_REWRITE: Final = Step(rewrite, needs=(Body,), gives=Body)
_VALIDATE: Final = Step(validate, needs=(Body,), gives=Body)
_SUBJECT: Final = Step(subject, needs=(Body,), gives=Judged)
_DEMAND: Final = Step(demand, needs=(Judged,), gives=Demands)
_PREDICT: Final = Step(predict, needs=(Judged,), gives=PlacedPrediction)
_JUDGE: Final = Step(judge, needs=(Judged, PlacedPrediction), gives=Ruled)
_GOVERN: Final = Step(govern, needs=(Judged, PlacedPrediction, Ruled), gives=Ruled)
_AFFECT: Final = Step(affect, needs=(Judged, Ruled), gives=Ruled)
_TELL: Final = Step(tell, needs=(Judged, PlacedPrediction, Ruled))
_VERDICT: Final = (_SUBJECT, _DEMAND, _PREDICT, _JUDGE, _GOVERN, _AFFECT, _TELL)
_ASK: Final = Step(ask_policies, needs=(Body,))
_ASK_AS_GIVEN: Final = Step(ask_policies_as_given, needs=(Body,))
_ASK_OF_DELETION: Final = Step(ask_policies_of_deletion)
_ASK_OF_CONNECTION: Final = Step(ask_policies_of_connection, needs=(Body,))
_DELETION: Final = (Step(affect_by_deletion),)
_CRD: Final = (Step(decode_crd, gives=Body), Step(validate_crd, needs=(Body,), gives=Body), _ASK)
_POLICY: Final = (Step(decode_policy, gives=Body), Step(validate_policy, needs=(Body,), gives=Body))
_TYPES: Final = Step(check_types, needs=(Body,))
_DUPLICATES: Final = Step(refuse_duplicates)
_READERS: Final = Step(affect_readers, needs=(Judged,))
_PLACE: Final = (Step(take_as_given, needs=(Body,), gives=Judged), _PREDICT, Step(tell_where, needs=(PlacedPrediction,)), _READERS)
_KIND: Final = Step(look_up_kind, needs=(Body,))

#: The steps of every way, by what the request is about and by the phase of the door. Without a way nothing is checked.
WAYS: Final[Mapping[tuple[About, Phase], Way]] = {
    (About.OBJECT, Phase.WHOLE): (_DECODE, *_CHANGE, _MUTATE, _REWRITE, _CHANGE_AGAIN, _VALIDATE, _ASK, _READ_BACK, *_VERDICT),
    (About.OBJECT, Phase.APISERVER): (_DECODE, *_CHANGE, _CHANGE_AGAIN, _VALIDATE, _ASK, _READ_BACK),
    (About.OBJECT, Phase.MUTATE): (_RECEIVE, _MUTATE),
    (About.OBJECT, Phase.VALIDATE): (_RECEIVE, *_VERDICT),
    (About.UNKNOWN, Phase.WHOLE): (_DUPLICATES, _CHANGE_AS_GIVEN, *_PLACE, _KIND, _ASK_AS_GIVEN),
    (About.UNKNOWN, Phase.APISERVER): (_DUPLICATES, _CHANGE_AS_GIVEN, _KIND, _ASK_AS_GIVEN),
    (About.DEFINITION, Phase.WHOLE): _CRD,
    (About.DEFINITION, Phase.APISERVER): _CRD,
    (About.POLICY, Phase.WHOLE): (*_POLICY, _TYPES),
    (About.POLICY, Phase.APISERVER): _POLICY,
    (About.DELETION, Phase.WHOLE): (_ASK_OF_DELETION, *_DELETION),
    (About.DELETION, Phase.APISERVER): (_ASK_OF_DELETION,),
    (About.DELETION, Phase.VALIDATE): _DELETION,
    (About.CONNECTION, Phase.WHOLE): (_CHANGE_AS_GIVEN, _ASK_OF_CONNECTION),
    (About.CONNECTION, Phase.APISERVER): (_CHANGE_AS_GIVEN, _ASK_OF_CONNECTION),
}


def decide(
    request: Request,
    facts: Facts,
    config: Configuration,
    phase: Phase = Phase.WHOLE,
    *,
    duplicates: Sequence[Path] = (),
    expired: Callable[[], bool] = never,
    explains: bool = True,
    answers: bool = True,
) -> Decision:
    """The verdict on `request`; never raises.

    `duplicates` are the fields that occur twice in the text of the object. `expired` says whether the deadline has passed; it is called
    between steps and whenever other objects are looked up. After the deadline the configured mode decides. The decision has a prediction
    for people to read only if the caller `explains`, and warnings, provenance and entries for the audit log only if it `answers` a request.
    """
    if expired is not never:
        # Rules, predictions and placements look objects up all the time, so the deadline ends long steps as well.
        facts = replace(facts, objects=TimedStore(facts.objects, expired))
    let_policies_fill_in(config)
    with judging(facts.definitions.server):
        return _decide(request, facts, config, phase, duplicates, expired, explains=explains, answers=answers)


def _decide(
    request: Request,
    facts: Facts,
    config: Configuration,
    phase: Phase,
    duplicates: Sequence[Path],
    expired: Callable[[], bool],
    *,
    explains: bool,
    answers: bool,
) -> Decision:
    is_offline = phase in {Phase.WHOLE, Phase.APISERVER}
    found, failure = Found(), ""
    context: Context | None = None
    results: Results = {}
    try:
        family = family_of(_addressed_group(request))
        about, definition = _about(request, facts, is_offline=is_offline)
        webhook = _webhook(family, about) if phase is Phase.WHOLE else ""
        context = Context(
            request,
            facts,
            config.within(request.namespace),
            is_offline,
            duplicates=duplicates,
            expired=expired,
            family=family,
            definition=definition,
            webhook=webhook,
        )
        walk(WAYS.get((about, phase), ()), context, found, results)
    except DeadlineExceededError:
        failure = "the deadline passed before the verdict was ready"
    except Exception as defect:
        log().exception("the engine failed on %s %s", request.gvk, request.uid)
        failure = f"{type(defect).__name__} in the engine"
    context = context or Context(request, facts, config, is_offline)
    if failure:
        _fail(context, config, found, results, failure)
    try:
        decision = _decision(context, found, results, explains=explains and is_offline, answers=answers)
    except Exception as defect:
        log().exception("the decision on %s %s couldn't be written", request.gvk, request.uid)
        found, only_body = Found(), Results()
        _fail(context, config, found, only_body, f"{type(defect).__name__} in the engine")
        decision = _decision(context, found, only_body, explains=False, answers=answers)
    # The memory of a request ends with its verdict.
    request.forget()
    if (judged := results.get(Judged)) is not None:
        judged.request.forget()
    return decision


def _webhook(family: Family | None, about: About) -> str:
    """The name of the family's webhook, which the API server puts before the message that the user sees."""
    if family is None:
        return ""
    return family.deletion_webhook() if about is About.DELETION else family.validating_webhook()


def _about(request: Request, facts: Facts, *, is_offline: bool) -> tuple[About, ResourceDefinition | None]:
    """What a request is about, and the definition of its object."""
    if request.operation is Operation.DELETE:
        return About.DELETION, None
    if request.operation is Operation.CONNECT:
        return About.CONNECTION, None
    if is_offline and _is_definition(request):
        return About.DEFINITION, None
    if is_offline and is_policy(request):
        return About.POLICY, None
    definition = _definition(request, facts)
    return (About.UNKNOWN if is_offline and definition is None else About.OBJECT), definition


def _addressed_group(request: Request) -> str:
    """The API group of the resource. The body of a subresource may have a kind of another group."""
    return request.resource.group if request.subresource and request.resource is not None else request.gvk.group


def _definition(request: Request, facts: Facts) -> ResourceDefinition | None:
    """The definition of the kind; for a subresource, which may have a kind of its own (`scale`), the definition of its resource."""
    addressed = request.resource if request.subresource else None
    if addressed is not None:
        return facts.definitions.by_resource(addressed.group, addressed.version, addressed.resource)
    return facts.definitions.get(request.gvk)


def _is_definition(request: Request) -> bool:
    return (request.gvk.group, request.gvk.version, request.gvk.kind) == ("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


def _fail(context: Context, config: Configuration, found: Found, results: Results, failure: str) -> None:
    """Turn a failure of the engine itself into the decision of the configured mode."""
    finding = failure_finding(failure, config)
    body: Body = results.get(Body) or Body(None)
    results[Body] = body._replace(object=context.request.object, provenance=(), patch=())
    found.findings.append(finding)
    found.unchecked.append(Unchecked(str(context.request.gvk), failure))
    if finding.severity is not Severity.ERROR:
        found.refusal = None
        found.warnings.append(f"{INTERNAL_RULE} {finding}")


def _all_filled(body: Body, family: Family | None, gvk: GroupVersionKind, config: Configuration) -> Sequence[Provenance]:
    """The values of the object that this request or an earlier one filled in."""
    if family is None or not isinstance(body.object, dict):
        return body.filled
    recorded = provenance_of_record(body.object, family.filled_fields(gvk.kind) | config.fields_of_policies(gvk))
    paths = {entry.path for entry in body.filled}
    return [*body.filled, *(entry for entry in recorded if entry.path not in paths)]


def _bundled(context: Context, findings: Sequence[Finding]) -> str:
    """The release whose shipped CRD findings come from; empty if it is the cluster's own, or if the user has chosen the release."""
    if _OF_CRDS.isdisjoint(finding.rule for finding in findings):
        return ""
    origin = context.facts.definitions.origin(context.request.gvk)
    return origin.name if origin is not None and not origin.is_chosen else ""


def _cause(error: Finding) -> JSONObject:
    """An error as the details of a refusal have it."""
    return {"reason": error.reason, "message": shortened(f"{error.rule}: {error.message}"), "field": error.field}


def _decision(context: Context, found: Found, results: Results, *, explains: bool, answers: bool) -> Decision:
    """The decision. Credentials are taken out of all texts before these are cut or joined."""
    request = context.request
    # A way without a step that gives a body uses that of the request. A step gives none if the API server couldn't read the body.
    body: Body = (results[Body] or Body(None)) if Body in results else Body(request.object)
    predicted: PlacedPrediction = results.get(PlacedPrediction) or NOT_PREDICTED
    demands: Demands | None = results.get(Demands)
    discretion = HiddenCredentials(request.object, request.old_object)
    findings = tuple(map(discretion.finding, with_origins(found.findings, results.get(Changed))))
    warnings = list(map(discretion.words, found.warnings)) if answers else []
    refusal = discretion.refusal(found.refusal) if found.refusal is not None else None
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    code, message = (201 if request.operation is Operation.CREATE else 200), ""
    causes: Sequence[JSONObject] = ()
    if refusal is not None:
        code, message, causes = refusal.code, refusal.message, refusal.causes
    elif errors:
        code, message = 403, denial_text(errors, context.webhook)
        causes = list(map(_cause, first_errors(errors)))
    prediction = predicted.prediction if explains else None
    return Decision(
        allowed=not message,
        code=code,
        message=message,
        causes=causes,
        # The API server cuts and counts the warnings of a webhook itself, together with its own.
        warnings=tuple(headers(warnings) if context.is_offline else dict.fromkeys(warnings)),
        findings=findings,
        patch=tuple(body.patch),
        provenance=tuple(map(discretion.provenance, body.provenance)) if answers else (),
        object=body.object,
        unchecked=tuple(map(discretion.unchecked, found.unchecked)),
        audit_annotations=audit_annotations(findings, body.filled) if answers else {},
        cel_cost=body.cel_cost,
        placement=discretion.placement(predicted.placement) if predicted.placement is not None else None,
        never_runs=found.never_runs,
        skipped=found.skipped,
        crd=demands.as_json() if demands is not None and context.is_offline else None,
        bundled=_bundled(context, findings) if context.is_offline and findings else "",
        groups=predicted.groups,
        effective=prediction.as_json(_all_filled(body, context.family, request.gvk, context.config)) if prediction is not None else None,
    )
