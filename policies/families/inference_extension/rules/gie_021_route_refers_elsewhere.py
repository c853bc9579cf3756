"""An HTTPRoute means this pool and refers to something else.

A backend of an HTTPRoute is a Service of the core group unless it says both group and kind, and the pools of the two groups are two
kinds. A route that names the wrong one gets ResolvedRefs=False with the reason BackendNotFound, and answers with 500. Write the pool's
group and kind at the route's backend.

Source: Gateway API Inference Extension v1.6.0, conformance/tests/httproute_invalid_inferencepool_ref.go; Gateway API v1
BackendObjectReference.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import READ_BY_POOLS, requested
from policies.families.inference_extension.subject.routes import ROUTES, Backend, read_route
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    pool = requested(request)
    if not facts.objects.knows_all(*ROUTES):
        yield RULE.unchecked("not all HTTPRoutes of the cluster are known")
    for route in facts.objects.read(*ROUTES, read_route):
        meant = next((ref for ref in route.backends if ref.means(pool) and not _is_there(ref, facts)), None)
        if meant is not None:
            yield RULE.finding(
                ("metadata", "name"),
                f'HTTPRoute "{route.name}" means this pool and refers to {meant}, which isn\'t there',
                found=str(meant),
                expected=f"group {pool.group} and kind InferencePool",
                hint=f"write group: {pool.group} and kind: InferencePool at the route's backend",
            )


def _is_there(ref: Backend, facts: Facts) -> bool:
    """Whether what a backend refers to is there; of a kind that nobody knows all of, it may be."""
    if (ref.group, ref.kind) == ("", "InferencePool"):
        return False
    found = facts.objects.get(ref.group, ref.kind, ref.namespace, ref.name)
    return found is not None or not facts.objects.knows_all(ref.group, ref.kind)


RULE = Rule(
    id="GIE-021",
    name="route-refers-elsewhere",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.6.0 conformance/tests/httproute_invalid_inferencepool_ref.go",
    reads=tuple(sorted(("HTTPRoute.gateway.networking.k8s.io", "Service", *READ_BY_POOLS))),
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad=(
        "metadata: {name: lost}\nspec: {selector: {matchLabels: {app: vllm}}, targetPorts: [{number: 8000}], "
        "endpointPickerRef: {name: epp, port: {number: 9002}}}"
    ),
    beside=(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: chat, namespace: default}\n"
        "spec: {rules: [{backendRefs: [{name: lost, kind: InferencePool, group: inference.networking.x-k8s.io}]}]}"
    ),
)
