"""The steps for custom resources; `weighbridge.policies.verdict.engine` says which steps each way has.

A step is a function of the context, of what is found so far, and of what it needs from earlier steps (`weighbridge.policies.verdict.way`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from weighbridge.policies.apiserver import admission as apiserver
from weighbridge.policies.apiserver.admission import Decoded, Validated
from weighbridge.policies.apiserver.demands import Demands
from weighbridge.policies.apiserver.unknown_fields import UNKNOWN_FIELD
from weighbridge.policies.apiserver.validation import RULES_NOT_CHECKED
from weighbridge.policies.facts.deadline import DeadlineExceededError
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.record import has_record
from weighbridge.policies.families.rule import Given, Reader, Rule
from weighbridge.policies.ground.defects import log
from weighbridge.policies.ground.findings import Finding, Provenance, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, metadata_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.policies.schema.object_meta import stored_numbers
from weighbridge.policies.verdict import prediction
from weighbridge.policies.verdict.annotation import annotate
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
from weighbridge.policies.verdict.pods.pod_admission import unsaid_remarks
from weighbridge.policies.verdict.prediction import NOT_PREDICTED, PlacedPrediction
from weighbridge.policies.verdict.schema_defaults import schema_defaults
from weighbridge.policies.verdict.way import Body, Context, Found, Judged, Ruled

_RULES_UNCHECKED: Final = Unchecked("the CRD's rules", "the server skips them, since the object has errors")
#: The clock is read once per this number of rules.
_RULES_BETWEEN: Final = 8
#: How many findings of one rule come between two looks at the clock.
_FINDINGS_BETWEEN: Final = 64
_WRITTEN_ON_CREATION: Final = frozenset({"uid", "creationTimestamp"})


def decode(context: Context, found: Found) -> Body | None:
    """Do what the API server does before it calls webhooks: metadata, unknown fields, nulls, defaults."""
    if context.definition is None:
        return None
    decoded = apiserver.decode(context.request, context.definition, duplicates=context.duplicates)
    if not take_decoded(context, found, decoded):
        return None
    if context.request.subresource:
        return Body(decoded.object)
    return Body(decoded.object, list(schema_defaults(context.request.object, decoded.object, str(context.request.gvk))))


def take_decoded(context: Context, found: Found, decoded: Decoded) -> bool:
    """Add the results of decoding; return whether the server could read the body."""
    found.refusal = decoded.refusal
    found.warnings += decoded.warnings
    found.findings += map(_with_successor(context.request), decoded.findings)
    return decoded.object is not None


def _with_successor(request: Request) -> Callable[[Finding], Finding]:
    """Adds a hint to findings about fields that the kind no longer has: what to write instead."""

    def hinted(finding: Finding) -> Finding:
        if finding.rule != UNKNOWN_FIELD or not isinstance(request.object, dict):
            return finding
        from weighbridge.policies.families.migration import successor_of

        successor = successor_of(request.object, finding.path)
        hints = filter(None, (finding.hint, successor))
        return replace(finding, hint="; ".join(hints), nearest="") if successor else finding

    return hinted


def receive(context: Context, _: Found) -> Body:
    """Take the object as a webhook gets it; the API server has decoded it."""
    return Body(context.request.object)


def mutate(context: Context, found: Found, body: Body) -> Body:
    """Fill in what the author left open, each value with its provenance."""
    if context.family is None:
        return body
    context.check_deadline()
    request, annotations = context.request, context.config.annotations
    fill, own = context.family.fill.get(request.gvk.kind), context.config.fields_of_policies(request.gvk)
    if (fill is None and not own) or not isinstance(body.object, dict) or _only_bookkeeping(request, body.object):
        return body
    # The API server stores 8.0 as 8: a webhook gets such numbers, and the server has them after a webhook has patched an object.
    # `stored_numbers` copies the object. In the webhook no copy is needed: no one else uses the request's object.
    source = stored_numbers(body.object) if context.is_offline else body.object
    authorship = _authorship(request, is_offline=context.is_offline)
    mutation = Mutation(source, authorship)
    if own:
        from weighbridge.policies.verdict.own_fill_ins import filled_in

        mutation = filled_in(context, found, mutation)
    elif fill is not None:
        mutation.authorship = authorship.of_families()
        fill(mutation, request, context.facts, context.config)
        mutation.authorship = authorship
    fields = context.family.filled_fields(request.gvk.kind) | own
    annotate(mutation, fields, annotations.max_bytes, is_asked_for=annotations.objects)
    found.warnings += mutation_warnings(mutation.provenance)
    obj = body.object
    if context.is_offline and context.definition is not None and mutation.patch:
        obj = mutation.object
        apiserver.redefault(obj, context.definition)
    # A value that replaces a default of the schema has only the provenance of the mutation.
    replaced = {entry.path for entry in mutation.provenance}
    provenance = [entry for entry in body.provenance if entry.path not in replaced] + mutation.provenance
    return Body(obj, provenance, mutation.patch, mutation.provenance)


def _authorship(request: Request, *, is_offline: bool) -> Authorship:
    """The authorship of the values of the request's object. Offline the whole manifest is the author's."""
    is_new = request.operation is Operation.CREATE
    if is_offline and isinstance(request.object, dict):
        return Authorship.of_manifest(request.object, request.old_object, is_new=is_new)
    return Authorship.of_object(request.object, request.old_object, is_new=is_new)


def _only_bookkeeping(request: Request, obj: JSONObject) -> bool:
    """Whether the request doesn't change the spec: it is about a subresource, about metadata, or about an object that is being deleted.

    Filled-in values are brought up to date with every update, so an update of an object with a record is never only bookkeeping.
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


def rewrite(context: Context, _: Found, body: Body) -> Body:
    """Do what the operator's own mutating webhook does to any object: decode it into Go's structs, and encode these again."""
    request, family, definition = context.request, context.family, context.definition
    if family is None or definition is None or request.subresource or not isinstance(body.object, dict):
        return body
    rewriting = family.rewrite.get(request.gvk.kind)
    if rewriting is None:
        return body
    found = rewriting(body.object, definition.openapi_schema)
    apiserver.redefault(found.object, definition)
    source = f"{family.title}'s webhook"
    added = (Provenance(path, value, source, reason) for path, value, reason in found.changes)
    return body._replace(object=found.object, provenance=[*body.provenance, *added])


def validate(context: Context, found: Found, body: Body) -> Body:
    """Check what the API server checks after mutating webhooks, in its order and words: metadata, schema, list types, CEL."""
    if context.definition is None:
        return body
    context.check_deadline()
    return take_validated(found, body, apiserver.validate(context.request, body.object, context.definition))


def take_validated(found: Found, body: Body, checked: Validated) -> Body:
    """Add the results of validation; return the object as it would be stored."""
    cost = 0
    if found.refusal is None:
        # The server stops after it has refused the body. The errors are reported anyway, for the user who mends the manifest.
        cost = checked.cel_cost
        found.warnings += checked.warnings
    found.findings += field_error_findings(error for error in checked.errors if error != RULES_NOT_CHECKED)
    if RULES_NOT_CHECKED in checked.errors:
        found.unchecked.append(_RULES_UNCHECKED)
    found.refusal = found.refusal or checked.refusal
    if checked.refusal is not None and not checked.errors:
        found.findings.append(refusal_finding(checked.refusal))
    return body._replace(object=checked.object, cel_cost=cost)


def subject(context: Context, found: Found, body: Body) -> Judged | None:
    """Choose the object for predictions and rules: for a scale the scaled object, for other subresources none."""
    judged = _judged(context, body.object)
    if isinstance(judged, Unchecked):
        found.unchecked.append(judged)
    context.check_deadline()
    return Judged(judged) if isinstance(judged, Request) else None


def _judged(context: Context, obj: JSONValue) -> Request | Unchecked | None:
    request = context.request
    if not isinstance(obj, dict):
        return None
    if request.subresource == "scale":
        from weighbridge.policies.verdict.scale_requests import scaled

        return scaled(request, obj, context.definition, context.facts)
    if request.subresource or _lets_go(request, obj):
        return None
    if request.operation is Operation.CREATE and not context.is_offline:
        # With the uid and the time that the API server writes into it, it would look like a stored object.
        metadata = {key: value for key, value in metadata_of(obj).items() if key not in _WRITTEN_ON_CREATION}
        return replace(request, object={**obj, "metadata": metadata})
    return replace(request, object=obj, manifest=request.object if context.is_offline else None)


def _lets_go(request: Request, obj: JSONObject) -> bool:
    """Whether an update doesn't change the spec of an object that is being deleted. Operators act on a changed spec, so that is judged."""
    return "deletionTimestamp" in metadata_of(obj) and _leaves_spec_alone(request, obj)


def demand(context: Context, found: Found, judged: Judged) -> Demands | None:
    """Make the checks of the CRD that the API server doesn't make, because the installed CRD lacks them or isn't known."""
    request = judged.request
    if context.family is None or not isinstance(request.object, dict):
        return None
    demands = demands_on(request.gvk, context.family, context.facts, context.config, request)
    if demands is None:
        return None
    lost = demands if demands.losses else None
    if context.is_offline and (found.refusal is not None or context.facts.definitions.installed(request.gvk) is None):
        # The object is refused already, or `validate` has used the CRD that ships.
        return lost
    context.check_deadline()
    old = request.old_object if request.operation is Operation.UPDATE else None
    unmet = demands.unmet(request.object, old if isinstance(old, dict) else None)
    found.warnings += unmet.warnings
    errors = field_error_findings(error for error in unmet.errors if error != RULES_NOT_CHECKED)
    found.findings += (replace(finding, hint=demands.hint) for finding in errors)
    if unmet.is_partial:
        found.unchecked.append(_RULES_UNCHECKED)
    if unmet.errors:
        found.refusal = denied(request, unmet.errors, context.webhook)
    return lost


def predict(context: Context, found: Found, judged: Judged) -> PlacedPrediction:
    """Predict what the system's operator creates, and where the pods could run. A refused object has no prediction."""
    context.check_deadline()
    if found.refusal is not None or not isinstance(judged.request.object, dict):
        return NOT_PREDICTED
    predicted = prediction.predict(judged.request, context.facts, context.config, context.family, is_offline=context.is_offline)
    found.unchecked += predicted.unchecked
    return predicted


def judge(context: Context, found: Found, judged: Judged, predicted: PlacedPrediction) -> Ruled:
    """Run the family's rules. On an update, an error that the stored object has too becomes a warning."""
    request, family, config = judged.request, context.family, context.config
    if family is None:
        return Ruled()
    rules = family.rules_for(request.gvk.kind)
    said = _run(rules, request, context, found.unchecked)
    said += prediction.untold_failure(request, predicted.prediction, said, context.facts, config, family)
    ruled = enforce(weighed(said, rules, config), config, request, context.facts.objects)
    if request.operation is Operation.UPDATE and any(finding.severity is Severity.ERROR for finding in ruled):
        stored = replace(request, object=request.old_object, manifest=None)
        ruled = ratchet(ruled, weighed(_run(rules, stored, context, []), rules, config))
        stored.forget()
    return Ruled(ruled)


def govern(context: Context, found: Found, judged: Judged, predicted: PlacedPrediction, ruled: Ruled) -> Ruled:
    """Ask the policies of the configuration, which see the prediction and the placement as well."""
    if context.config.policies is None:
        return ruled
    from weighbridge.policies.verdict.policy_findings import governed

    context.check_deadline()
    return Ruled([*ruled.findings, *governed(context, found, judged.request, predicted)])


def tell(context: Context, found: Found, judged: Judged, predicted: PlacedPrediction, ruled: Ruled) -> None:
    """Report all findings, the notes of the namespace's configuration, and how old the facts are. A rule replaces a placement finding."""
    tell_placement(context, found, predicted, ruled.findings)
    if context.family is None:
        return
    request, staleness = judged.request, context.facts.staleness
    found.warnings += context.config.notes_of(request.namespace)
    if staleness and (note := staleness.note(context.family.needs(request.gvk.kind))):
        found.warnings.append(note)
    found.tell(ruled.findings)


def tell_placement(context: Context, found: Found, predicted: PlacedPrediction, ruled: Sequence[Finding] = ()) -> None:
    """Report that no node can run the pods, unless a rule's finding says so."""
    family = context.family
    said = [finding for finding in ruled if family is not None and family.speaks_of_placement(finding.rule)]
    left = unsaid(predicted.findings, said)
    found.tell([*left, *unsaid_remarks(predicted.remarks, ruled, family)])
    is_reported = any(not finding.severity.is_below(Severity.WARNING) for finding in (*left, *said))
    found.never_runs = is_reported and predicted.placement is not None and predicted.placement.outlook.is_hopeless


def _run(rules: Sequence[Rule], request: Request, context: Context, unchecked: list[Unchecked]) -> list[Finding]:
    """The findings of all rules, sorted by path and id. A rule that fails becomes a finding, and the others still run."""
    config = context.config
    found: list[Finding] = []
    given, subjects = Given(request, context.facts, config), dict[Reader, Any]()
    for index, rule in enumerate(rules):
        # Rules are quick, and most check the clock when they look up objects.
        if not index % _RULES_BETWEEN:
            context.check_deadline()
        try:
            # A subject is read once for all rules that use it.
            reader = rule.read
            if reader not in subjects:
                subjects[reader] = reader(*given)
            subject = subjects[reader]
            if subject is None:
                continue
            for at, said in enumerate(rule.judge(subject, given) if rule.takes_given else rule.judge(subject), start=1):
                if not at % _FINDINGS_BETWEEN:
                    context.check_deadline()
                result = rule.stated(said)
                if isinstance(result, Unchecked):
                    unchecked.append(result)
                else:
                    found.append(result)
        except DeadlineExceededError:
            raise
        except (Exception, SystemExit, GeneratorExit) as defect:
            log().exception("rule %s failed on %s %s", rule.id, request.gvk, request.uid)
            found.append(failure_finding(f"rule {rule.id} failed with {type(defect).__name__}", config))
    found.sort(key=lambda finding: (tuple(map(str, finding.path)), finding.rule))
    return found
