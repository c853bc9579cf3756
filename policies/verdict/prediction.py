"""The prediction for an object: what the family's operator creates, where its pods could run, and the findings about both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Finding, Outlook, PodPlacement, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.judgement import enforce, placement_finding, ratchet, unsaid
from weighbridge.policies.verdict.pod_admission import created, forbids_pods, queue_findings, quota_findings, remarks

#: The id of the finding that the operator comes no further, for failures that no rule reports.
FAILS: Final = "WB-003"


@dataclass(frozen=True, slots=True)
class PlacedPrediction:
    """What the operator creates, where the pods could run, what isn't known, and the findings with their configured severities.

    `remarks` are findings about the admission of pods that may run all the same.
    """

    prediction: Prediction | None = None
    placement: PodPlacement | None = None
    unchecked: Sequence[Unchecked] = ()
    findings: Sequence[Finding] = ()
    remarks: Sequence[Finding] = ()


#: For an object without a prediction.
NOT_PREDICTED: Final = PlacedPrediction()


def predict(request: Request, facts: Facts, config: Configuration, family: Family | None, *, is_offline: bool) -> PlacedPrediction:
    """The prediction for an object that the API server takes.

    A webhook gets no placement of pods that surely find a node. On an update, an error that the stored object has too becomes a warning.
    """
    prediction, made = _made(request, facts, config, family)
    if not made:
        return PlacedPrediction(prediction)
    said, unknown = _remarks(request, prediction, made, facts, config, family)
    if facts.inventory is None and not forbids_pods(request.namespace or "default", facts, config):
        return PlacedPrediction(prediction, unchecked=unknown, remarks=said)
    from weighbridge.policies.placement.request_pods import fits_now

    if not is_offline and fits_now(request, made, facts, config):
        # A webhook doesn't show which nodes could run the pods.
        return PlacedPrediction(prediction, unchecked=unknown, remarks=said)
    placement, unchecked, findings = _placed(request, made, facts, config)
    if facts.inventory is None and (placement is None or placement.outlook is not Outlook.REFUSED):
        return PlacedPrediction(prediction, unchecked=unknown, remarks=said)
    if request.operation is Operation.UPDATE and any(finding.severity is Severity.ERROR for finding in findings):
        stored = replace(request, object=request.old_object)
        _, _, before = _placed(stored, _made(stored, facts, config, family)[1], facts, config)
        findings = ratchet(findings, before)
        stored.forget()
    return PlacedPrediction(prediction, placement, [*unchecked, *unknown], findings, said)


def _remarks(
    request: Request,
    prediction: Prediction | None,
    made: Sequence[JSONObject],
    facts: Facts,
    config: Configuration,
    family: Family | None,
) -> tuple[Sequence[Finding], Sequence[Unchecked]]:
    """The findings about the admission of pods and of what else is created, as they are enforced; and what couldn't be checked."""
    unknown: list[Unchecked] = []

    def of(judged: Request, predicted: Prediction | None, workloads: Sequence[JSONObject]) -> Sequence[Finding]:
        namespace = judged.namespace or "default"
        queued = list(queue_findings(workloads, namespace, facts))
        if judged is request:
            unknown.extend(entry for entry in queued if isinstance(entry, Unchecked))
        said = [*remarks(workloads, namespace, facts, config), *(entry for entry in queued if isinstance(entry, Finding))]
        if judged is request:
            said += quota_findings(request, created(request.object, predicted, workloads), replaced, facts, config)
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
    """The finding that the operator comes no further with an object, unless a rule's finding in `said` reports it with the same weight.

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
    what = "comes no further" if prediction.objects else "makes nothing of it"
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


def _placed(
    request: Request, made: Sequence[JSONObject], facts: Facts, config: Configuration
) -> tuple[PodPlacement | None, Sequence[Unchecked], Sequence[Finding]]:
    from weighbridge.policies.placement.request_pods import placed

    found = placed(made, facts, config, request.namespace or "default")
    if found is None:
        return None, (), ()
    placement, of_pods, unchecked = found
    finding = placement_finding(placement, of_pods.pod, config.references)
    return of_pods, unchecked, enforce([finding] if finding is not None else [], config, request, facts.objects)
