"""From findings to a decision: enforcement, ratchet, and the text of a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from weighbridge.policies.apiserver.refusal import Refusal, invalid
from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.enforcement import Enforcement, Labels
from weighbridge.policies.config.ignores import ANNOTATION
from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.families.rule import Concern, Rule
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.findings import Decision, Finding, Provenance, Severity
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import field, name_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.spelling import amount, listed

if TYPE_CHECKING:
    from weighbridge.policies.placement.outcome import Placement

#: The id of the finding for a failure of the engine or of one rule.
INTERNAL_RULE: Final = "WB-000"
#: The id of the API server's own errors about a field.
INVALID_FIELD: Final = "K8S-003"
#: The id of a refusal that is about no field.
REFUSED: Final = "K8S-007"
#: The id of the finding that no node of the cluster could run a workload's pods.
NO_NODE: Final = "PLACE-001"
#: The id of the finding that pods fit an empty cluster, and no node has room with what runs now.
NO_ROOM: Final = "PLACE-006"
#: How many errors a refusal lists, and how long the text of one may be.
_MOST_ERRORS: Final = 100
_LONGEST_TEXT: Final = 2000
#: The id of the finding that the cluster doesn't have a kind or its version.
NO_MATCHES: Final = "K8S-008"
#: The id of the finding that pods break the standard which their namespace warns of, or writes into the audit log.
PODS_VIOLATE: Final = "POD-001"
#: The id of the finding that a quota isn't enough for all objects that are created.
QUOTA_EXCEEDED: Final = "POD-002"
#: The id of the finding that the queue which a workload names never admits it.
NEVER_ADMITTED: Final = "POD-003"
#: For a CRD with one version the server uses the names of these parts in older versions of its API.
_HOISTED: Final[dict[object, str]] = {
    "validation": "schema",
    "subresources": "subresources",
    "additionalPrinterColumns": "additionalPrinterColumns",
    "selectableFields": "selectableFields",
}


def enforce(findings: Iterable[Finding], config: Configuration, request: Request, store: ObjectStore | None = None) -> list[Finding]:
    """The findings on a request's object with the enforcement of the configuration; `store` knows the labels of namespaces.

    `off` drops a finding, `audit` makes it a note, `warn` and `deny` set its weight. An exception makes a note of a warning or an error.
    A failure of Weighbridge itself keeps its weight, which `onError` gives it.
    """
    kept = []
    for finding in findings:
        if finding.rule == INTERNAL_RULE:
            kept.append(finding)
            continue
        labels = _namespace_labels(request.namespace, store)
        ruling = config.ruling(finding.rule, finding.severity, request.gvk, request.namespace, labels)
        severity = ruling.action.severity
        if severity is not None:
            weighed = finding if severity is finding.severity else replace(finding, severity=severity)
            if ruling.is_guarded:
                weighed = _hinted(weighed, f"the labels of namespace {request.namespace} aren't known, so the stricter enforcement applies")
            kept.append(weighed if severity is Severity.NOTE else _excepted(weighed, config, request))
    return kept


def weighed(findings: Iterable[Finding], rules: Iterable[Rule], config: Configuration) -> list[Finding]:
    """The findings of rules. A finding about a reference gets the configured severity, unless its own differs from its rule's."""
    found = list(findings)
    spoken = {finding.rule for finding in found}
    usual = {rule.id: rule.severity for rule in rules if rule.id in spoken and Concern.REFERENCE in rule.about}
    out = []
    for finding in found:
        if usual.get(finding.rule) is not finding.severity:
            out.append(finding)
        elif config.references.severity is not None:
            out.append(replace(finding, severity=config.references.severity))
    return out


def _excepted(finding: Finding, config: Configuration, request: Request) -> Finding:
    """The finding, as a note if an exception applies to it. If an exception that has ended did, the hint says so."""
    exception, former = config.exceptions_for(finding.rule, request)
    if exception is not None:
        return replace(finding, severity=Severity.NOTE, exempted=exception.reason)
    own, own_former = config.own_exceptions_for(finding.rule, request)
    if own is not None:
        return replace(finding, severity=Severity.NOTE, exempted=f"{own.said} ({ANNOTATION})")
    if former is not None:
        return _hinted(finding, f"an exception from this rule ended on {former.expires} ({former.reason})")
    if own_former is not None:
        return _hinted(finding, f"what the annotation {ANNOTATION} says of this rule ended on {own_former.until} ({own_former.said})")
    return finding


def _hinted(finding: Finding, hint: str) -> Finding:
    return replace(finding, hint=f"{finding.hint}; {hint}" if finding.hint else hint)


def _namespace_labels(namespace: str, store: ObjectStore | None) -> Labels:
    """The labels of a namespace; `None` if they aren't known."""
    return namespace_labels(namespace, store) if store is not None and namespace else None


def audit_annotations(findings: Sequence[Finding], filled: Iterable[Provenance] = ()) -> dict[str, str]:
    """The entries for the API server's audit log.

    They name the rules with findings, those whose findings are only notes, the exceptions that were used, and the filled-in fields.
    """
    audited = {finding.rule for finding in findings if finding.severity is Severity.NOTE and not finding.exempted}
    exempted = {f"{finding.rule}: {finding.exempted}" for finding in findings if finding.exempted}
    entries = {
        "rules": ",".join(sorted({finding.rule for finding in findings})),
        "audited": ",".join(sorted(audited)),
        "exempted": "; ".join(sorted(exempted)),
        "filled-in": ",".join(field(entry.path) for entry in filled),
    }
    return {key: text for key, text in entries.items() if text}


def ratchet(findings: Iterable[Finding], before: Iterable[Finding]) -> list[Finding]:
    """The findings on an update. An error that the stored object has with the same words becomes a warning."""
    known = {(finding.rule, finding.path, finding.message) for finding in before}
    return [
        replace(finding, severity=Severity.WARNING, hint=finding.hint or "this update doesn't change it, so it is only a warning")
        if finding.severity is Severity.ERROR and (finding.rule, finding.path, finding.message) in known
        else finding
        for finding in findings
    ]


def failure_finding(what: str, config: Configuration) -> Finding:
    """The finding for a failure, with the weight of the configured mode."""
    severity = Severity.ERROR if config.on_error == "deny" else Severity.WARNING
    hint = "the log has the details; on the command line, run weighbridge --debug"
    return Finding(INTERNAL_RULE, severity, (), what, hint=hint, reason=str(ErrorType.INTERNAL))


def denied(request: Request, errors: Sequence[FieldError], webhook: str = "") -> Refusal:
    """The API server's refusal of an object with these errors; with a `webhook`, as the API server passes on its refusal."""
    refusal = invalid(request.gvk.kind, request.gvk.group, request.name or name_of(request.object), errors)
    return replace(refusal, message=f'admission webhook "{webhook}" denied the request: {refusal.message}') if webhook else refusal


def field_error_findings(errors: Iterable[FieldError]) -> list[Finding]:
    """The API server's errors as findings."""
    return [
        Finding(
            INVALID_FIELD,
            Severity.ERROR,
            steps(error.field),
            error.body,
            reason=str(error.type),
            field_text=error.field_text,
        )
        for error in errors
    ]


def in_manifest(finding: Finding) -> Finding:
    """A finding on a CRD with its path in the manifest. The printed field stays the server's."""
    path = finding.path
    if len(path) < 2 or path[0] != "spec" or path[1] not in _HOISTED:
        return finding
    return replace(finding, path=("spec", "versions", 0, _HOISTED[path[1]], *path[2:]), field_text=finding.field)


def placement_finding(placement: Placement, pod: str, references: Enforcement) -> Finding | None:
    """The finding that no node fits: a warning, since the API server stores the workload all the same.

    A missing object may come with another manifest. `references` gives the weight of findings about such objects; `off` ignores them.
    """
    if placement.names_missing and references.severity is None:
        apart = placement.apart_from_claims
        return placement_finding(apart, pod, references) if apart is not None else None
    subject = f"{pod} pods: " if pod else ""
    if placement.fits and placement.apart:
        return Finding(NO_NODE, Severity.WARNING, (), f"{subject}{placement.apart}")
    if placement.fits or not placement.reason:
        return None
    if placement.on_expected:
        message = f"no node can run its pods now, but {listed(placement.on_expected)} could, once there"
    elif placement.prospects:
        message = f"no node can run its pods now, but {listed(placement.prospects)} may bring one"
    else:
        message = placement.reasons or next(iter(placement.nearest), "")
    severity = references.severity if placement.names_missing else None
    return Finding(NO_NODE, severity or Severity.WARNING, (), f"{subject}{message}", nearest="; ".join(placement.nearest))


def caution_findings(placement: Placement) -> list[Finding]:
    """The findings on pods that fit a node and yet don't work there, or may not."""
    return [
        Finding(caution.rule, Severity.NOTE if caution.is_note else Severity.WARNING, (), caution.message, hint=caution.hint)
        for caution in placement.cautions
    ]


def unsaid(findings: Iterable[Finding], said: Sequence[Finding]) -> list[Finding]:
    """The findings about placement, without those that a rule's finding in `said` reports with the same weight.

    A finding that an exception has made a note counts as a warning.
    """
    weights = [Severity.WARNING if finding.exempted else finding.severity for finding in said]
    return [finding for finding in findings if all(weight.is_below(finding.severity) for weight in weights)]


NOT_KNOWN: Final = "no CustomResourceDefinition for this kind is known"


def refusal_finding(refusal: Refusal) -> Finding:
    """The finding for a refusal of the API server that is about no field, such as a conflict or a missing object."""
    return Finding(REFUSED, Severity.ERROR, (), refusal.message, reason=str(ErrorType.INVALID))


def denial_text(errors: Sequence[Finding], webhook: str = "") -> str:
    """The text of a refusal; with a `webhook`, as the API server passes it on to the user.

    Each error is followed by its rule and by what to do. At the end comes the entry of the configuration that would allow the object, ready
    to be pasted. Of many errors the first hundred are listed, and a long one is cut, since every client of the API server prints the text.
    """
    text = "; ".join(map(_with_remedy, first_errors(errors)))
    left = len(errors) - _MOST_ERRORS
    text += f"; and {amount(left, 'more error')}, which weighbridge dry-run lists" if left > 0 else ""
    configuration = next((error.configuration for error in errors if 0 < len(error.configuration) <= _LONGEST_TEXT), "")
    text += f". If such a node will come, add to Weighbridge's configuration: {configuration}" if configuration else ""
    return f'admission webhook "{webhook}" denied the request: {text}' if webhook else text


def first_errors(errors: Sequence[Finding]) -> Sequence[Finding]:
    """The errors that a refusal lists."""
    return errors[:_MOST_ERRORS]


def shortened(text: str) -> str:
    """A text of an error as a refusal has it."""
    left = len(text) - _LONGEST_TEXT
    return f"{text[:_LONGEST_TEXT]}... and {amount(left, 'more character')}" if left > 0 else text


def _with_remedy(error: Finding) -> str:
    """An error with its rule and what to do."""
    return f"{shortened(str(error))} ({shortened(': '.join(filter(None, (error.rule, error.remedy))))})"


def with_findings(decision: Decision, more: Sequence[Finding]) -> Decision:
    """A decision with additional findings that depend on other objects; an error among them refuses the object."""
    errors = [finding for finding in more if finding.severity is Severity.ERROR]
    found = replace(decision, findings=[*decision.findings, *more])
    return replace(found, allowed=False, code=403, message=denial_text(errors)) if errors and decision.allowed else found


def mutation_warnings(provenance: Iterable[Provenance]) -> list[str]:
    """Warnings that say what was filled in, for the person who applies the object."""
    return [f"weighbridge {_change(entry)} ({entry.source}: {entry.reason})" for entry in provenance]


def _change(entry: Provenance) -> str:
    """The change of a field. A value of null means that the field was removed."""
    place = field(entry.path)
    return f"removed {place}" if entry.value is None else f"set {place} to {json_text(entry.value)}"
