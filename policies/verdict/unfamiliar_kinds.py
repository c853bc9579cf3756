"""The steps for objects that no family judges: CustomResourceDefinitions, and kinds without a known definition."""

from __future__ import annotations

from weighbridge.policies.apiserver.admission import Refusal
from weighbridge.policies.apiserver.built_in import is_built_in
from weighbridge.policies.apiserver.unknown_fields import StrictErrors
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import FieldValidation
from weighbridge.policies.ground.records import replace
from weighbridge.policies.verdict.judgement import NOT_KNOWN, in_manifest
from weighbridge.policies.verdict.prediction import PlacedPrediction
from weighbridge.policies.verdict.steps import take_decoded, take_validated, tell_placement
from weighbridge.policies.verdict.way import Body, Context, Found, Judged


def decode_crd(context: Context, found: Found) -> Body | None:
    """Decode a CustomResourceDefinition as the API server does."""
    from weighbridge.policies.apiserver.acceptance import decode_definition

    decoded = decode_definition(context.request, duplicates=context.duplicates)
    return Body(decoded.object) if take_decoded(context, found, decoded) else None


def validate_crd(context: Context, found: Found, body: Body) -> Body:
    """Check whether the API server would accept the CustomResourceDefinition."""
    from weighbridge.policies.apiserver.acceptance import validate_definition

    validated = take_validated(found, body, validate_definition(context.request, body.object))
    found.findings = [in_manifest(finding) for finding in found.findings]
    return validated


def refuse_duplicates(context: Context, found: Found) -> None:
    """Check for fields that occur twice, as strict decoding does. Unknown fields can't be found without a schema."""
    request = context.request
    strict = StrictErrors(context.duplicates, ())
    found.findings += strict.findings(None, request.field_validation)
    if request.field_validation is FieldValidation.STRICT:
        found.refusal = strict.refusal(kind=request.gvk.kind, version=request.gvk.version)
    elif request.field_validation is FieldValidation.WARN:
        found.warnings += strict.texts


def take_as_given(context: Context, _: Found, body: Body) -> Judged | None:
    """Place the object as it is written, or as policies have changed it; a subresource isn't placed."""
    request = context.request
    if request.subresource:
        return None
    return Judged(request if body.object is request.object else replace(request, object=body.object))


def tell_where(context: Context, found: Found, predicted: PlacedPrediction) -> None:
    """Report that no node can run the pods."""
    tell_placement(context, found, predicted)


def look_up_kind(context: Context, found: Found, body: Body) -> None:
    """Report that a built-in kind is skipped, that the cluster has no such kind, or that the object isn't checked."""
    request = context.request
    if is_built_in(request.gvk.group, request.gvk.version, request.gvk.kind):
        # Weighbridge has no rules for the kind, but policies of the cluster may have changed the object.
        found.skipped = "" if body.provenance else "built-in kind"
        return
    missing = None
    if request.resource is None:
        # A request with a resource comes from an API server, which has the kind. Otherwise the cluster may have a newer version of the
        # family than the CRDs here, with more kinds.
        family = context.family
        all_known = family is not None and request.gvk.group in family.complete_groups and family.kind(request.gvk) is None
        all_known = all_known or _is_chosen(context) or context.facts.objects.knows_all("apiextensions.k8s.io", "CustomResourceDefinition")
        from weighbridge.policies.verdict.absent_kinds import no_matches

        missing = no_matches(request.gvk, context.facts.definitions, is_whole=all_known)
    if missing is None:
        found.unchecked.append(Unchecked(str(request.gvk), NOT_KNOWN))
        return
    found.findings.append(missing)
    found.refusal = Refusal(404, f'no matches for kind "{request.gvk.kind}" in version "{request.gvk.api_version}"')


def _is_chosen(context: Context) -> bool:
    """Whether the user has chosen the release of the kind's system, so that it has only the shipped kinds."""
    origin = context.facts.definitions.origin(context.request.gvk)
    return origin is not None and origin.is_chosen
