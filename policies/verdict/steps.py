"""The steps of the way of a request: decode, mutate, validate, demand, predict, judge.

Each takes an `Admission` on from where the last one left it. The engine says which of them a door wants.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from weighbridge.policies.apiserver import admission as apiserver
from weighbridge.policies.apiserver.admission import Decoded, Refusal, Validated
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.demands import Demands
from weighbridge.policies.apiserver.unknown_fields import UNKNOWN_FIELD
from weighbridge.policies.apiserver.validation import RULES_NOT_CHECKED
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.deadline import DeadlineExceededError
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.record import has_record
from weighbridge.policies.families.migration import successor_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Finding, PodPlacement, Provenance, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path, metadata_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.policies.schema.object_meta import stored_numbers
from weighbridge.policies.verdict import prediction
from weighbridge.policies.verdict.annotation import annotate
from weighbridge.policies.verdict.breakage import broken_objects
from weighbridge.policies.verdict.crd_rules import demands_on
from weighbridge.policies.verdict.judgement import (
    denied,
    enforce,
    failure_finding,
    field_error_findings,
    mutation_warnings,
    ratchet,
    refusal_finding,
    unsaid,
    weighed,
)
from weighbridge.policies.verdict.scale_requests import scaled
from weighbridge.policies.verdict.schema_defaults import schema_defaults
from weighbridge.policies.verdict.stale_values import stale_values

_log = logging.getLogger("weighbridge.engine")
_RULES_UNCHECKED: Final = Unchecked("the CRD's rules", "the object has errors that keep the server from asking them")
_WRITTEN_ON_CREATION: Final = frozenset({"uid", "creationTimestamp"})


@dataclass(slots=True)
class Admission:
    """One request in admission: what the steps are given, and what they have come to; the engine makes the decision of it.

    `is_offline` is whether no API server has seen the request before. `object` is the object as far as it has come, and `judged` the
    request that the rules are asked about, `None` where they aren't asked. `placement_findings` are told once the rules have been asked.
    `demands` are there where the installed CRD lacks some.
    """

    request: Request
    facts: Facts
    config: Configuration
    duplicates: Sequence[Path]
    expired: Callable[[], bool]
    is_offline: bool
    object: JSONValue
    family: Family | None = None
    definition: ResourceDefinition | None = None
    judged: Request | None = None
    demands: Demands | None = None
    webhook: str = ""
    findings: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    patch: list[JSONObject] = field(default_factory=list)
    provenance: list[Provenance] = field(default_factory=list)
    filled: Sequence[Provenance] = ()
    refusal: Refusal | None = None
    cel_cost: int = 0
    placement: PodPlacement | None = None
    placement_findings: Sequence[Finding] = ()
    never_runs: bool = False
    skipped: str = ""
    prediction: Prediction | None = None

    def check_deadline(self) -> None:
        """Raises DeadlineExceededError once the caller's deadline has passed."""
        if self.expired():
            raise DeadlineExceededError


def decode(admission: Admission) -> None:
    """What the API server does to a body before any webhook."""
    if admission.definition is None:
        return
    take_decoded(admission, apiserver.decode(admission.request, admission.definition, duplicates=admission.duplicates))
    if admission.object is not None and not admission.request.subresource:
        admission.provenance += schema_defaults(admission.request.object, admission.object, str(admission.request.gvk))


def take_decoded(admission: Admission, decoded: Decoded) -> None:
    admission.object, admission.refusal = decoded.object, decoded.refusal
    admission.warnings += decoded.warnings
    admission.findings += map(_with_successor(admission.request), decoded.findings)


def _with_successor(request: Request) -> Callable[[Finding], Finding]:
    """Says of a field that the kind had once what is written in its place."""

    def told(finding: Finding) -> Finding:
        if finding.rule != UNKNOWN_FIELD or not isinstance(request.object, dict):
            return finding
        successor = successor_of(request.object, finding.path)
        hints = filter(None, (finding.hint, successor))
        return replace(finding, hint="; ".join(hints), nearest="") if successor else finding

    return told


def mutate(admission: Admission) -> None:
    """Fill in what the author left open, as the family says."""
    if admission.family is None:
        return
    admission.check_deadline()
    request, annotations = admission.request, admission.config.annotations
    fill = admission.family.fill.get(request.gvk.kind)
    if fill is None or not isinstance(admission.object, dict) or _only_bookkeeping(request, admission.object):
        return
    # A webhook sees the numbers as the server writes them down (8.0 as 8), and so does the server once a webhook has patched something.
    # The copy is the engine's own; in the webhook the object belongs to the request alone.
    given = stored_numbers(admission.object) if admission.is_offline else admission.object
    mutation = Mutation(given, _authorship(request, is_offline=admission.is_offline))
    fill(mutation, request, admission.facts, admission.config)
    fields = admission.family.filled_fields(request.gvk.kind)
    annotate(mutation, fields, annotations.max_bytes, is_asked_for=annotations.objects)
    # What is set over a default of the schema no longer comes from there.
    replaced = {entry.path for entry in mutation.provenance}
    admission.provenance = [entry for entry in admission.provenance if entry.path not in replaced] + mutation.provenance
    admission.patch, admission.filled = mutation.patch, mutation.provenance
    admission.warnings += mutation_warnings(mutation.provenance)
    if admission.is_offline and admission.definition is not None and mutation.patch:
        admission.object = mutation.object
        apiserver.redefault(admission.object, admission.definition)


def _authorship(request: Request, *, is_offline: bool) -> Authorship:
    """Who wrote which value of the request's object. Offline the manifest is the author's."""
    is_new = request.operation is Operation.CREATE
    if is_offline and isinstance(request.object, dict):
        return Authorship.of_manifest(request.object, request.old_object, is_new=is_new)
    return Authorship.of_object(request.object, request.old_object, is_new=is_new)


def _only_bookkeeping(request: Request, obj: JSONObject) -> bool:
    """Whether the request leaves the spec alone: status and other subresources, metadata, finalizers of what is being deleted.

    What was filled in before follows with every update, so an object with a record of that is looked at whatever the update is about.
    """
    old = request.old_object
    if request.subresource:
        return True
    if not isinstance(old, dict) or not _leaves_spec_alone(request, obj):
        return False
    return "deletionTimestamp" in metadata_of(old) or not (has_record(old) or has_record(obj))


def _leaves_spec_alone(request: Request, obj: JSONObject) -> bool:
    """Whether an update changes metadata and status at most."""
    old = request.old_object
    return request.operation is Operation.UPDATE and isinstance(old, dict) and deep_equal(obj.get("spec"), old.get("spec"))


def validate(admission: Admission) -> None:
    """What the API server checks after the mutating webhooks."""
    if admission.definition is not None:
        admission.check_deadline()
        take_validated(admission, apiserver.validate(admission.request, admission.object, admission.definition))


def take_validated(admission: Admission, checked: Validated) -> None:
    admission.object = checked.object
    if admission.refusal is None:
        # A server that has refused the body goes no further; whoever mends it wants to hear the rest all the same.
        admission.cel_cost = checked.cel_cost
        admission.warnings += checked.warnings
    admission.findings += field_error_findings(error for error in checked.errors if error != RULES_NOT_CHECKED)
    if RULES_NOT_CHECKED in checked.errors:
        admission.unchecked.append(_RULES_UNCHECKED)
    admission.refusal = admission.refusal or checked.refusal
    if checked.refusal is not None and not checked.errors:
        admission.findings.append(refusal_finding(checked.refusal))


def demand(admission: Admission) -> None:
    """What the CRD demands that the API server hasn't checked, since the installed CRD lacks it or isn't known."""
    judged = admission.judged = _judged(admission)
    if judged is None or admission.family is None or not isinstance(judged.object, dict):
        return
    demands = demands_on(judged.gvk, admission.family, admission.facts, admission.config, judged)
    if demands is None:
        return
    admission.demands = demands if demands.losses else None
    if admission.is_offline and (admission.refusal is not None or admission.facts.definitions.installed(judged.gvk) is None):
        # Refused already, or validated by the very definition that stands in.
        return
    admission.check_deadline()
    old = judged.old_object if judged.operation is Operation.UPDATE else None
    unmet = demands.unmet(judged.object, old if isinstance(old, dict) else None)
    admission.warnings += unmet.warnings
    told = field_error_findings(error for error in unmet.errors if error != RULES_NOT_CHECKED)
    admission.findings += (replace(finding, hint=demands.hint) for finding in told)
    if unmet.is_partial:
        admission.unchecked.append(_RULES_UNCHECKED)
    if unmet.errors:
        admission.refusal = denied(judged, unmet.errors, admission.webhook)


def predict(admission: Admission) -> None:
    """What the family's operator will make of the object, and where the pods that come of it could run."""
    admission.check_deadline()
    place(admission)


def _judged(admission: Admission) -> Request | None:
    """What the rules are asked about: the object as it will be, of a scale the object that is scaled; `None` where they aren't asked."""
    request = admission.request
    if not isinstance(admission.object, dict):
        return None
    if request.subresource == "scale":
        found = scaled(request, admission.object, admission.definition, admission.facts)
        if isinstance(found, Unchecked):
            admission.unchecked.append(found)
            return None
        return found
    if request.subresource or _lets_go(request, admission.object):
        return None
    if request.operation is Operation.CREATE and not admission.is_offline:
        return replace(request, object=_unstored(admission.object))
    return replace(request, object=admission.object, manifest=request.object if admission.is_offline else None)


def _lets_go(request: Request, obj: JSONObject) -> bool:
    """Whether an update does no more than let an object go that is being deleted. What changes its spec is judged: operators act on it."""
    return "deletionTimestamp" in metadata_of(obj) and _leaves_spec_alone(request, obj)


def _unstored(obj: JSONObject) -> JSONObject:
    """A new object without what the server writes into it before it asks validating webhooks: whatever is stored was there before it."""
    metadata = {key: value for key, value in metadata_of(obj).items() if key not in _WRITTEN_ON_CREATION}
    return {**obj, "metadata": metadata} if "metadata" in obj else obj


def place(admission: Admission) -> None:
    """Predict what comes of the judged object and place its pods; nothing of what is refused."""
    judged = admission.judged
    if judged is None or admission.refusal is not None or not isinstance(judged.object, dict):
        return
    predicted = prediction.predict(judged, admission.facts, admission.config, admission.family, is_offline=admission.is_offline)
    admission.prediction, admission.placement = predicted.prediction, predicted.placement
    admission.unchecked += predicted.unchecked
    admission.placement_findings = predicted.findings


def judge(admission: Admission) -> None:
    """The family's rules; on an update, what the stored object was guilty of already only warns."""
    judged, config = admission.judged, admission.config
    if judged is None:
        return
    found: list[Finding] = []
    if admission.family is not None:
        rules = admission.family.rules_for(judged.gvk.kind)
        said = _run(rules, judged, admission, admission.unchecked)
        said += prediction.untold_failure(judged, admission.prediction, said, admission.facts, config, admission.family)
        found = enforce(weighed(said, rules, config), config, judged, admission.facts.objects)
        if judged.operation is Operation.UPDATE and any(finding.severity is Severity.ERROR for finding in found):
            stored = replace(judged, object=judged.old_object, manifest=None)
            found = ratchet(found, weighed(_run(rules, stored, admission, []), rules, config))
            stored.forget()
        found += _taken(stale_values(judged, admission.family, admission.facts, config, is_offline=admission.is_offline), judged, admission)
        admission.check_deadline()
        found += _broken(judged, admission.family, admission)
    tell_placement(admission, found)
    if admission.family is not None:
        admission.warnings += config.notes_of(judged.namespace)
        if admission.facts.staleness and (note := admission.facts.staleness.note(admission.family.needs(judged.gvk.kind))):
            admission.warnings.append(note)
        _tell(admission, found)
    judged.forget()


def judge_deletion(admission: Admission) -> None:
    """No rule is asked about what goes; only what a deletion breaks of other objects is told."""
    request, family = admission.request, admission.family
    if family is None or request.subresource:
        return
    admission.check_deadline()
    _tell(admission, _broken(request, family, admission))


def _broken(request: Request, family: Family, admission: Admission) -> list[Finding]:
    """What the request breaks of other objects."""
    return _taken(broken_objects(request, family, admission.facts, admission.config, admission.expired), request, admission)


def _taken(results: Iterable[Finding | Unchecked], request: Request, admission: Admission) -> list[Finding]:
    """The findings with the configured severities; what couldn't be looked at is noted."""
    found = list(results)
    admission.unchecked += (entry for entry in found if isinstance(entry, Unchecked))
    return enforce([entry for entry in found if isinstance(entry, Finding)], admission.config, request, admission.facts.objects)


def tell_placement(admission: Admission, found: Sequence[Finding]) -> None:
    """Tell where the pods can't run, unless a rule's finding among `found` does."""
    family = admission.family
    said = [finding for finding in found if family is not None and family.speaks_of_placement(finding.rule)]
    told = unsaid(admission.placement_findings, said)
    _tell(admission, told)
    is_told = any(not finding.severity.is_below(Severity.WARNING) for finding in (*told, *said))
    admission.never_runs = is_told and admission.placement is not None and admission.placement.outlook.is_hopeless


def _tell(admission: Admission, findings: Sequence[Finding]) -> None:
    """Take findings; those that don't refuse are told as warnings."""
    admission.findings += findings
    admission.warnings += [f"{finding.rule} {finding}" for finding in findings if finding.severity is Severity.WARNING]


def _run(rules: Sequence[Rule], request: Request, admission: Admission, unchecked: list[Unchecked]) -> list[Finding]:
    """Every rule's findings, by path and id. A rule that fails becomes a finding of its own and the others still run."""
    config = admission.config
    found: list[Finding] = []
    for rule in rules:
        admission.check_deadline()
        try:
            for result in rule.check(request, admission.facts, config):
                if isinstance(result, Unchecked):
                    unchecked.append(result)
                else:
                    found.append(result)
        except DeadlineExceededError:
            raise
        except Exception as defect:
            _log.exception("rule %s failed on %s %s", rule.id, request.gvk, request.uid)
            found.append(failure_finding(f"rule {rule.id} failed with {type(defect).__name__}", config))
    found.sort(key=lambda finding: (tuple(map(str, finding.path)), finding.rule))
    return found
