"""The prediction for an object: what the family's operator creates, where its pods could run, and the findings about both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.prediction import Prediction, created
from weighbridge.policies.ground.findings import Finding, Outlook, PodPlacement, Severity, TodayPlacement, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation, name_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.judgement import caution_findings, enforce, placement_finding, ratchet, unsaid
from weighbridge.policies.verdict.pods.pod_admission import forbids_pods, queue_findings, quota_findings, remarks

if TYPE_CHECKING:
    from weighbridge.policies.pods.groups import Groups

#: The id of the finding that the operator can't continue, for failures that no rule reports.
FAILS: Final = "WB-003"


@dataclass(frozen=True, slots=True)
class PlacedPrediction:
    """What the operator creates, where the pods could run, what isn't known, and the findings with their configured severities.

    `remarks` are findings about the admission of pods that may run all the same. `groups` are the pods that the object runs, if they fit
    one by one.
    """

    prediction: Prediction | None = None
    placement: PodPlacement | None = None
    unchecked: Sequence[Unchecked] = ()
    findings: Sequence[Finding] = ()
    remarks: Sequence[Finding] = ()
    groups: Sequence[Groups] = ()


#: For an object without a prediction.
NOT_PREDICTED: Final = PlacedPrediction()


def predict(request: Request, facts: Facts, config: Configuration, family: Family | None, *, is_offline: bool) -> PlacedPrediction:
    """The prediction for an object that the API server accepts.

    A webhook gets no placement of pods that surely find a node. On an update, an error that the stored object has too becomes a warning.
    """
    prediction, made = _made(request, facts, config, family)
    if not made:
        return PlacedPrediction(prediction)
    said, unknown = _remarks(request, prediction, made, facts, config, family)
    found = _predicted(prediction, made, request, facts, config, family, is_offline=is_offline)
    if request.operation is Operation.UPDATE and any(finding.severity is Severity.ERROR for finding in found.findings):
        stored = replace(request, object=request.old_object)
        before = _predicted(*_made(stored, facts, config, family), stored, facts, config, family, is_offline=is_offline)
        found = replace(found, findings=ratchet(found.findings, before.findings))
        stored.forget()
    return replace(found, remarks=said, unchecked=[*found.unchecked, *unknown] if unknown else found.unchecked)


def _predicted(
    prediction: Prediction | None,
    made: Sequence[JSONObject],
    request: Request,
    facts: Facts,
    config: Configuration,
    family: Family | None,
    *,
    is_offline: bool,
) -> PlacedPrediction:
    """A prediction with the findings about its pods: whether each fits a node, whether all fit together, and whether they fit today."""
    has_pods = family is None or request.gvk.kind in family.predict
    is_forbidden = facts.inventory is None and has_pods and forbids_pods(request.namespace or "default", facts, config)
    if not made or (facts.inventory is None and not is_forbidden):
        return PlacedPrediction(prediction)
    from weighbridge.policies.placement.request_pods import fits_now

    # A webhook doesn't show which nodes could run the pods.
    fits = not is_offline and fits_now(request, made, facts, config)
    found = PlacedPrediction(prediction) if fits else _placed(prediction, request, made, facts, config, is_offline=is_offline)
    outlook = found.placement.outlook if found.placement is not None else Outlook.NOW
    if facts.inventory is None and outlook is not Outlook.REFUSED:
        return PlacedPrediction(prediction)
    if outlook is Outlook.LATER and is_offline:
        return replace(found, groups=_awaiting(found, made, request, facts))
    if outlook is not Outlook.NOW:
        return found
    found = _with_groups(found, request, made, facts, config, family, is_offline=is_offline)
    if facts.occupancy is None or (found.placement is not None and found.placement.outlook is not Outlook.NOW):
        return found
    today, more = _today(request, made, facts, config, is_offline=is_offline)
    placement = replace(found.placement, today=today) if found.placement is not None else None
    return replace(found, placement=placement, findings=[*found.findings, *more])


def _remarks(
    request: Request,
    prediction: Prediction | None,
    made: Sequence[JSONObject],
    facts: Facts,
    config: Configuration,
    family: Family | None,
) -> tuple[Sequence[Finding], Sequence[Unchecked]]:
    """The findings about the admission of pods and other created objects, with their enforcement, and what couldn't be checked."""
    unknown: list[Unchecked] = []

    def of(judged: Request, predicted: Prediction | None, workloads: Sequence[JSONObject]) -> Sequence[Finding]:
        namespace = judged.namespace or "default"
        queued = list(queue_findings(workloads, namespace, facts, config))
        if judged is request:
            unknown.extend(entry for entry in queued if isinstance(entry, Unchecked))
        said = [*remarks(workloads, namespace, facts, config), *(entry for entry in queued if isinstance(entry, Finding))]
        if judged is request:
            said += quota_findings(request, lambda: created(request.object, predicted, workloads), replaced, facts, config)
        return enforce(said, config, judged, facts.objects) if said else ()

    def replaced() -> Sequence[JSONObject]:
        stored = replace(request, object=request.old_object)
        found = created(stored.object, *_made(stored, facts, config, family))
        stored.forget()
        return found

    found = of(request, prediction, made)
    if request.operation is Operation.UPDATE and any(finding.severity is Severity.ERROR for finding in found):
        stored = replace(request, object=request.old_object)
        found = ratchet(found, of(stored, *_made(stored, facts, config, family)))
        stored.forget()
    return found, unknown


def untold_failure(
    request: Request, prediction: Prediction | None, said: Sequence[Finding], facts: Facts, config: Configuration, family: Family
) -> list[Finding]:
    """The finding that the operator can't continue with an object, unless a rule's finding in `said` reports it with the same weight.

    On an update, a failure that the stored object has too is a warning.
    """
    if prediction is None or not prediction.failure:
        return []
    found = unsaid([_failed(prediction)], [finding for finding in said if family.speaks_of_failure(finding.rule)])
    if request.operation is not Operation.UPDATE or not any(finding.severity is Severity.ERROR for finding in found):
        return found
    stored = replace(request, object=request.old_object)
    before, _ = _made(stored, facts, config, family)
    stored.forget()
    return ratchet(found, [_failed(before)] if before is not None and before.failure else [])


def _failed(prediction: Prediction) -> Finding:
    what = "comes no further" if prediction.objects else "creates nothing for it"
    hint = "weighbridge dry-run shows how far the operator comes"
    return Finding(FAILS, prediction.weight, ("spec",), f"the operator {what}: {prediction.failure}", hint)


def _made(request: Request, facts: Facts, config: Configuration, family: Family | None) -> tuple[Prediction | None, Sequence[JSONObject]]:
    """The prediction and the objects to place; for a kind without a prediction, the object itself is placed."""
    resolve = family.predict.get(request.gvk.kind) if family is not None else None
    if resolve is None:
        return None, [request.object] if isinstance(request.object, dict) else []
    prediction = resolve(request, facts, config)
    if prediction is None:
        return None, ()
    return prediction, prediction.placed() if prediction.placed is not None else prediction.objects


def _today(
    request: Request, made: Sequence[JSONObject], facts: Facts, config: Configuration, *, is_offline: bool
) -> tuple[TodayPlacement | None, Sequence[Finding]]:
    """Where the pods fit in addition to running pods, if these are known."""
    if facts.occupancy is None:
        return None, ()
    from weighbridge.policies.verdict.pods.capacity import placed_today

    return placed_today(request, made, facts, config, is_offline=is_offline)


def _placed(
    prediction: Prediction | None, request: Request, made: Sequence[JSONObject], facts: Facts, config: Configuration, *, is_offline: bool
) -> PlacedPrediction:
    from weighbridge.policies.placement.request_pods import placed

    # A webhook has already checked whether they surely find a node.
    found = placed(made, facts, config, request.namespace or "default", None if is_offline else request)
    if found is None:
        return PlacedPrediction(prediction)
    placement, of_pods, unchecked = found
    finding = placement_finding(placement, of_pods.pod, config.references)
    findings = enforce([*([finding] if finding is not None else []), *caution_findings(placement)], config, request, facts.objects)
    return PlacedPrediction(prediction, of_pods, unchecked, findings)


def _with_groups(
    found: PlacedPrediction,
    request: Request,
    made: Sequence[JSONObject],
    facts: Facts,
    config: Configuration,
    family: Family | None,
    *,
    is_offline: bool,
) -> PlacedPrediction:
    """The same with the findings about pods that each fit a node: whether they fit together."""
    from weighbridge.policies.pods.groups import groups_of

    placed = found.prediction.together() if found.prediction is not None and found.prediction.together is not None else made
    groups = groups_of(placed, facts.objects, request.namespace)
    if not groups:
        return found
    from weighbridge.policies.placement.packing.members import compact
    from weighbridge.policies.placement.packing.remembered import lacking
    from weighbridge.policies.verdict.pods.groups import findings_of, never_serves, with_room

    lacks = lacking(groups, placed, facts, config, request.namespace or "default")
    told = [compact(one) for one in with_room(groups, lacks)] if is_offline else []
    if not lacks:
        return replace(found, groups=told) if is_offline else found
    changes_pods = request.operation is Operation.UPDATE and _changes_pods(request, groups, facts, config, family)
    findings = enforce(findings_of(lacks, groups, changes_pods=changes_pods), config, request, facts.objects)
    placement = found.placement
    if placement is not None and never_serves(lacks):
        placement = replace(placement, outlook=Outlook.NEVER)
    return replace(found, findings=[*found.findings, *findings], placement=placement, groups=told)


def _awaiting(found: PlacedPrediction, made: Sequence[JSONObject], request: Request, facts: Facts) -> Sequence[Groups]:
    """The pods that wait for nodes of pools, if pools have limits."""
    from weighbridge.policies.facts.autoscaling.limits import pool_limits

    if next(pool_limits(facts.objects), None) is None:
        return ()
    from weighbridge.policies.placement.packing.members import compact
    from weighbridge.policies.pods.groups import groups_of

    placed = found.prediction.together() if found.prediction is not None and found.prediction.together is not None else made
    return [replace(compact(one), awaits=True) for one in groups_of(placed, facts.objects, request.namespace)]


def _changes_pods(request: Request, groups: Sequence[Groups], facts: Facts, config: Configuration, family: Family | None) -> bool:
    """Whether an update changes the pods of a workload, so that these are replaced."""
    from weighbridge.policies.pods.groups import groups_of

    stored = replace(request, object=request.old_object)
    before = groups_of(_made(stored, facts, config, family)[1])
    stored.forget()
    old = {name_of(one.workload): one.pods for one in before}
    return any(one.pods != old[name_of(one.workload)] for one in groups if name_of(one.workload) in old)
