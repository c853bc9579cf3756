"""The Service of the endpoint picker isn't there.

The gateway asks the picker for every request. Without its Service the pool gets ResolvedRefs=False and requests are answered with 500,
unless `failureMode` is FailOpen. The reference has no namespace: the Service must be in the pool's. Create it, or correct the name. It
may come later in the same rollout, so this warns.

Source: Gateway API Inference Extension v1.6.0, conformance/tests/inferencepool_invalid_epp_service.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.picker_service import SERVICES
from policies.families.inference_extension.subject.pool import requested
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    pool = requested(request)
    picker = pool.picker
    if picker is None or not picker.is_service or not picker.name:
        return
    is_missing = SERVICES.is_missing(facts, pool.namespace, picker.name)
    if is_missing is None:
        yield RULE.unchecked(SERVICES.unknown)
    elif is_missing:
        yield RULE.finding(
            (*picker.path, "name"),
            f'namespace "{pool.namespace}" has no Service "{picker.name}"',
            found=picker.name,
            nearest=SERVICES.nearest(facts, pool.namespace, picker.name),
            hint="create the Service in the pool's namespace, or correct the name",
        )


RULE = Rule(
    id="GIE-010",
    name="picker-missing",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.6.0 conformance/tests/inferencepool_invalid_epp_service.go",
    reads=("Service",),
    is_about_reference=True,
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: ep, port: {number: 9002}}",
    beside=("apiVersion: v1\nkind: Service\nmetadata: {name: epp, namespace: default}\nspec: {ports: [{port: 9002}]}"),
)
