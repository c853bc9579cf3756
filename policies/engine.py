"""The one entry point: a request, the facts and the configuration in, a decision out.

`decide` walks the way of a request: what the API server does before any webhook, the family's defaults, the API server's validation, the
family's rules, and the decision. Each door calls it with its phase; the verdict is the same function at every door. Whatever fails
inside is a decision too, by the configured mode.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from policies.annotation import annotate
from policies.apiserver.admission import Refusal, Validated, decode, headers, redefault, validate
from policies.apiserver.definitions import ResourceDefinition
from policies.apiserver.validation import RULES_NOT_CHECKED
from policies.config import Configuration
from policies.facts import Facts
from policies.families import family_of
from policies.families.effective import Effective
from policies.families.family import Family, Rule
from policies.families.mutation import Mutation
from policies.findings import Decision, Finding, PodPlacement, Provenance, Severity, Unchecked
from policies.judgement import (
    INTERNAL_RULE,
    audit_annotations,
    denial_text,
    enforce,
    failure_finding,
    field_error_findings,
    in_manifest,
    mutation_warnings,
    ratchet,
    refusal_finding,
    unknown_kind,
)
from policies.objects import JSONObject, JSONValue, Operation, metadata_of
from policies.prediction import predict
from policies.request import Request
from policies.scaling import scaled
from policies.schema.go_values import deep_equal
from policies.schema.object_meta import stored_numbers
from policies.schema_defaults import schema_defaults

_log = logging.getLogger("weighbridge.engine")
_WRITTEN_ON_CREATION: Final = frozenset({"uid", "creationTimestamp"})


class Phase(StrEnum):
    """Which part of the way a door wants walked."""

    WHOLE = "whole"  # offline: from the manifest to the stored object
    APISERVER = "apiserver"  # what kube-apiserver does by itself
    MUTATE = "mutate"  # the mutating webhook: decoded and defaulted already
    VALIDATE = "validate"  # the validating webhook: valid by schema and CEL already


class DeadlineExceededError(Exception):
    """The caller's deadline passed before the verdict was reached."""


def _never() -> bool:
    return False


@dataclass(slots=True)
class _Verdict:
    """What has been gathered on the way; becomes the `Decision`."""

    object: JSONValue
    is_offline: bool
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
    effective: Effective | None = None


def decide(
    request: Request,
    facts: Facts,
    config: Configuration,
    phase: Phase = Phase.WHOLE,
    *,
    duplicates: Sequence[str] = (),
    expired: Callable[[], bool] = _never,
) -> Decision:
    """The verdict on `request`; never raises.

    `duplicates` are the fields that stood twice in the text that the object was read from. `expired` is asked between the steps; once it
    says yes the decision is the configured mode's.
    """
    verdict = _Verdict(object=None, is_offline=phase in {Phase.WHOLE, Phase.APISERVER})
    try:
        _walk(verdict, request, facts, config.within(request.namespace), phase, duplicates, expired)
    except DeadlineExceededError:
        return _failed(verdict, request, config, "the deadline passed before the verdict was reached")
    except Exception as defect:
        _log.exception("the engine failed on %s %s", request.gvk, request.uid)
        return _failed(verdict, request, config, f"{type(defect).__name__} in the engine")
    return _conclude(verdict, request)


def _walk(
    verdict: _Verdict,
    request: Request,
    facts: Facts,
    config: Configuration,
    phase: Phase,
    duplicates: Sequence[str],
    expired: Callable[[], bool],
) -> None:
    addressed = request.resource.group if request.subresource and request.resource is not None else request.gvk.group
    family = family_of(addressed)
    if family is not None and phase is Phase.WHOLE:
        # Offline the words are those that the API server passes on to the user; to itself the webhook answers without its own name.
        verdict.webhook = family.validating_webhook()
    if request.operation not in {Operation.CREATE, Operation.UPDATE}:
        verdict.object = request.object
        return
    offline = verdict.is_offline
    if offline and _is_definition(request):
        _judge_definition(verdict, request, duplicates)
        return
    definition = _definition(request, facts)
    if offline and definition is None:
        verdict.object = request.object
        if phase is Phase.WHOLE and not request.subresource:
            _predict(verdict, request, facts, config, family)
        verdict.unchecked.append(Unchecked(str(request.gvk), unknown_kind(request.gvk, facts.definitions)))
        return
    if offline and definition is not None:
        decoded = decode(request, definition, duplicates=duplicates)
        verdict.object, verdict.refusal = decoded.object, decoded.refusal
        verdict.warnings += decoded.warnings
        verdict.findings += decoded.findings
        if decoded.object is None:
            return
        if not request.subresource:
            verdict.provenance += schema_defaults(request.object, decoded.object, str(request.gvk))
    else:
        verdict.object = request.object
    if phase in {Phase.WHOLE, Phase.MUTATE} and family is not None:
        _check(expired)
        _mutate(verdict, request, facts, config, family, definition if offline else None)
    if offline and definition is not None:
        _check(expired)
        _validate(verdict, request, definition)
    if phase in {Phase.WHOLE, Phase.VALIDATE}:
        _check(expired)
        judged = _judged(verdict, request, definition, facts)
        _predict(verdict, judged, facts, config, family)
        if family is not None and judged is not None:
            _judge(verdict, judged, facts, config, family, expired)
        if judged is not None:
            judged.forget()


def _definition(request: Request, facts: Facts) -> ResourceDefinition | None:
    """The definition of the kind; of a subresource with a kind of its own (`scale`) that of the resource it belongs to."""
    addressed = request.resource if request.subresource else None
    if addressed is not None:
        return facts.definitions.by_resource(addressed.group, addressed.version, addressed.resource)
    return facts.definitions.get(request.gvk)


def _is_definition(request: Request) -> bool:
    return (request.gvk.group, request.gvk.version, request.gvk.kind) == ("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


def _judge_definition(verdict: _Verdict, request: Request, duplicates: Sequence[str]) -> None:
    """Whether the server would take a CustomResourceDefinition."""
    from policies.apiserver.acceptance import decode_definition, validate_definition

    decoded = decode_definition(request, duplicates=duplicates)
    verdict.object, verdict.refusal = decoded.object, decoded.refusal
    verdict.warnings += decoded.warnings
    verdict.findings += decoded.findings
    if decoded.object is not None:
        _take(verdict, validate_definition(request, decoded.object))
        verdict.findings = [in_manifest(finding) for finding in verdict.findings]


def _predict(verdict: _Verdict, judged: Request | None, facts: Facts, config: Configuration, family: Family | None) -> None:
    """What the family's operator will make of the object, and where the pods that come of it could run; nothing of what is refused."""
    if judged is None or verdict.refusal is not None or not isinstance(judged.object, dict):
        return
    predicted = predict(judged, facts, config, family, is_offline=verdict.is_offline)
    verdict.effective, verdict.placement = predicted.effective, predicted.placement
    verdict.unchecked += predicted.unchecked
    verdict.findings += predicted.findings
    verdict.warnings += [f"{finding.rule} {finding}" for finding in predicted.findings if finding.severity is Severity.WARNING]


def _check(expired: Callable[[], bool]) -> None:
    if expired():
        raise DeadlineExceededError


def _mutate(
    verdict: _Verdict, request: Request, facts: Facts, config: Configuration, family: Family, definition: ResourceDefinition | None
) -> None:
    fill = family.defaults.get(request.gvk.kind)
    if fill is None or not isinstance(verdict.object, dict) or _only_bookkeeping(request, verdict.object):
        return
    # A webhook sees the numbers as the server writes them down (8.0 as 8), and so does the server once a webhook has patched something.
    # The copy is the engine's own; in the webhook the object belongs to the request alone.
    mutation = Mutation(verdict.object if definition is None else stored_numbers(verdict.object))
    fill(mutation, request, facts, config)
    warned = mutation_warnings(mutation.provenance)
    if config.annotations.objects:
        annotate(mutation, config.annotations.max_bytes)
    # What is set over a default of the schema no longer comes from there.
    replaced = {entry.path for entry in mutation.provenance}
    verdict.provenance = [entry for entry in verdict.provenance if entry.path not in replaced] + mutation.provenance
    verdict.patch, verdict.filled = mutation.patch, mutation.provenance
    verdict.warnings += warned
    if definition is not None and mutation.patch:
        verdict.object = mutation.object
        redefault(verdict.object, definition)


def _only_bookkeeping(request: Request, obj: JSONObject) -> bool:
    """Whether the request leaves the spec alone: status and other subresources, metadata, finalizers of what is being deleted."""
    if request.subresource:
        return True
    if request.operation is not Operation.UPDATE or not isinstance(request.old_object, dict):
        return False
    return "deletionTimestamp" in metadata_of(request.old_object) or deep_equal(obj.get("spec"), request.old_object.get("spec"))


def _validate(verdict: _Verdict, request: Request, definition: ResourceDefinition) -> None:
    _take(verdict, validate(request, verdict.object, definition))


def _take(verdict: _Verdict, checked: Validated) -> None:
    verdict.object = checked.object
    if verdict.refusal is None:
        # A server that has refused the body goes no further; whoever mends it wants to hear the rest all the same.
        verdict.cel_cost = checked.cel_cost
        verdict.warnings += checked.warnings
    verdict.findings += field_error_findings(error for error in checked.errors if error != RULES_NOT_CHECKED)
    if RULES_NOT_CHECKED in checked.errors:
        verdict.unchecked.append(Unchecked("the CRD's rules", "the object has errors that keep the server from asking them"))
    verdict.refusal = verdict.refusal or checked.refusal
    if checked.refusal is not None and not checked.errors:
        verdict.findings.append(refusal_finding(checked.refusal))


def _judge(verdict: _Verdict, judged: Request, facts: Facts, config: Configuration, family: Family, expired: Callable[[], bool]) -> None:
    rules = family.rules_for(judged.gvk.kind)
    found = enforce(_run(rules, judged, facts, config, verdict.unchecked, expired), config, judged, facts.objects)
    if judged.operation is Operation.UPDATE and any(f.severity is Severity.ERROR for f in found):
        stored = replace(judged, object=judged.old_object)
        found = ratchet(found, _run(rules, stored, facts, config, [], expired))
        stored.forget()
    verdict.findings += found
    verdict.warnings += config.notes.get(judged.namespace, ())
    if facts.staleness:
        verdict.warnings.append(facts.staleness)
    verdict.warnings += [f"{finding.rule} {finding}" for finding in found if finding.severity is Severity.WARNING]


def _judged(verdict: _Verdict, request: Request, definition: ResourceDefinition | None, facts: Facts) -> Request | None:
    """What the rules are asked about: the object as it will be, of a scale the object that is scaled; `None` where they aren't asked."""
    if not isinstance(verdict.object, dict):
        return None
    if request.subresource == "scale":
        found = scaled(request, verdict.object, definition, facts)
        if isinstance(found, Unchecked):
            verdict.unchecked.append(found)
            return None
        return found
    if request.subresource or "deletionTimestamp" in metadata_of(verdict.object):
        return None
    if request.operation is Operation.CREATE and not verdict.is_offline:
        return replace(request, object=_unstored(verdict.object))
    return replace(request, object=verdict.object)


def _unstored(obj: JSONObject) -> JSONObject:
    """A new object without what the server writes into it before it asks validating webhooks: whatever is stored was there before it."""
    metadata = {key: value for key, value in metadata_of(obj).items() if key not in _WRITTEN_ON_CREATION}
    return {**obj, "metadata": metadata} if "metadata" in obj else obj


def _run(
    rules: Sequence[Rule],
    request: Request,
    facts: Facts,
    config: Configuration,
    unchecked: list[Unchecked],
    expired: Callable[[], bool],
) -> list[Finding]:
    """Every rule's findings, by path and id. A rule that fails becomes a finding of its own and the others still run."""
    found: list[Finding] = []
    for rule in rules:
        _check(expired)
        try:
            for result in rule.check(request, facts, config):
                if isinstance(result, Unchecked):
                    unchecked.append(result)
                elif not rule.is_about_reference:
                    found.append(result)
                elif config.references.severity is not None:
                    found.append(replace(result, severity=config.references.severity))
        except Exception as defect:
            _log.exception("rule %s failed on %s %s", rule.id, request.gvk, request.uid)
            found.append(failure_finding(f"rule {rule.id} failed with {type(defect).__name__}", config))
    found.sort(key=lambda finding: (tuple(map(str, finding.path)), finding.rule))
    return found


def _failed(verdict: _Verdict, request: Request, config: Configuration, what: str) -> Decision:
    """The configured mode's answer to a failure of the engine itself."""
    finding = failure_finding(what, config)
    verdict.object = request.object
    verdict.patch, verdict.provenance = [], []
    verdict.findings.append(finding)
    verdict.unchecked.append(Unchecked(str(request.gvk), what))
    if finding.severity is not Severity.ERROR:
        verdict.refusal = None
        verdict.warnings.append(f"{INTERNAL_RULE} {finding}")
    return _conclude(verdict, request)


def _conclude(verdict: _Verdict, request: Request) -> Decision:
    errors = [finding for finding in verdict.findings if finding.severity is Severity.ERROR]
    created = request.operation is Operation.CREATE
    code, message = (201 if created else 200), ""
    causes: Sequence[JSONObject] = ()
    if verdict.refusal is not None:
        code, message, causes = verdict.refusal.code, verdict.refusal.message, verdict.refusal.causes
    elif errors:
        code, message = 403, denial_text(errors, verdict.webhook)
        causes = [{"reason": finding.reason, "message": f"{finding.rule}: {finding.message}", "field": finding.field} for finding in errors]
    return Decision(
        allowed=not message,
        code=code,
        message=message,
        causes=causes,
        # What a webhook says is cut and counted by the API server, together with its own.
        warnings=tuple(headers(verdict.warnings) if verdict.is_offline else dict.fromkeys(verdict.warnings)),
        findings=tuple(verdict.findings),
        patch=tuple(verdict.patch),
        provenance=tuple(verdict.provenance),
        object=verdict.object,
        unchecked=tuple(verdict.unchecked),
        audit_annotations=audit_annotations(verdict.findings, verdict.filled),
        cel_cost=verdict.cel_cost,
        placement=verdict.placement,
        effective=verdict.effective.as_json(verdict.filled) if verdict.effective is not None and verdict.is_offline else None,
    )
