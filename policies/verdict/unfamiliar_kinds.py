"""The way of objects that no family judges: CustomResourceDefinitions, and kinds of which no definition is known."""

from __future__ import annotations

from weighbridge.policies.apiserver.admission import Refusal
from weighbridge.policies.apiserver.built_in import is_built_in
from weighbridge.policies.apiserver.unknown_fields import StrictErrors
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import FieldValidation
from weighbridge.policies.verdict.absent_kinds import no_matches
from weighbridge.policies.verdict.judgement import NOT_KNOWN, in_manifest
from weighbridge.policies.verdict.steps import Admission, place, take_decoded, take_validated, tell_placement


def judge_definition(admission: Admission) -> None:
    """Whether the server would take a CustomResourceDefinition."""
    from weighbridge.policies.apiserver.acceptance import decode_definition, validate_definition

    take_decoded(admission, decode_definition(admission.request, duplicates=admission.duplicates))
    if admission.object is not None:
        take_validated(admission, validate_definition(admission.request, admission.object))
        admission.findings = [in_manifest(finding) for finding in admission.findings]


def judge_unknown(admission: Admission, *, is_whole: bool) -> None:
    """An object without a definition: of a built-in kind it is skipped, of one that isn't there it is refused, else it isn't checked.

    Where it makes pods and the way `is_whole`, these are placed.
    """
    _object_to_duplicates(admission)
    request = admission.request
    if is_whole and not request.subresource:
        admission.judged = request
        place(admission)
        tell_placement(admission, ())
    if is_built_in(request.gvk.group, request.gvk.version, request.gvk.kind):
        admission.skipped = "built-in kind"
        return
    missing = None
    if request.resource is None:
        # A request that names its resource has been to a server that has it.
        # A kind that came with a later version of the family than the CRDs here may be there.
        family = admission.family
        all_known = family is not None and request.gvk.group in family.complete_groups and family.kind(request.gvk) is None
        all_known = all_known or admission.facts.objects.knows_all("apiextensions.k8s.io", "CustomResourceDefinition")
        missing = no_matches(request.gvk, admission.facts.definitions, is_whole=all_known)
    if missing is None:
        admission.unchecked.append(Unchecked(str(request.gvk), NOT_KNOWN))
        return
    admission.findings.append(missing)
    admission.refusal = Refusal(404, f'no matches for kind "{request.gvk.kind}" in version "{request.gvk.api_version}"')


def _object_to_duplicates(admission: Admission) -> None:
    """What strict decoding says of an object whose kind nobody here knows; its unknown fields aren't known either."""
    request = admission.request
    strict = StrictErrors(admission.duplicates, ())
    admission.findings += strict.findings(None, request.field_validation)
    if request.field_validation is FieldValidation.STRICT:
        admission.refusal = strict.refusal(kind=request.gvk.kind, version=request.gvk.version)
    elif request.field_validation is FieldValidation.WARN:
        admission.warnings += strict.texts
