"""The endpoint picker already serves another pool.

One picker serves one pool: it is started with the name of its pool, and knows the pods of that alone. Requests that come through the
other pool are sent to the wrong pods, or to none. Run a picker for each pool.

Source: Gateway API Inference Extension v1.6.0, site-src/guides/implementers.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import READ_BY_POOLS, know_all_pools, requested, with_picker
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    pool = requested(request)
    picker = pool.picker
    if picker is None or not picker.name:
        return
    other = next(with_picker(facts, pool, picker), None)
    if other is not None:
        yield RULE.finding(
            (*picker.path, "name"),
            f'{picker.kind} "{picker.name}" is the picker of {other} already',
            found=picker.name,
            expected="a picker that serves this pool alone",
            hint="run a picker for this pool, and name its Service",
        )
    elif not know_all_pools(facts):
        yield RULE.unchecked("not all InferencePools of the cluster are known")


RULE = Rule(
    id="GIE-019",
    name="picker-shared",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.6.0 site-src/guides/implementers.md",
    reads=READ_BY_POOLS,
    check=_check,
    good="selector: {matchLabels: {app: sglang}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {app: sglang}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: picker, port: {number: 9002}}",
    beside=(
        "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {name: other, namespace: default}\n"
        "spec: {selector: {matchLabels: {app: vllm}}, targetPorts: [{number: 8000}], "
        "endpointPickerRef: {name: picker, port: {number: 9002}}}"
    ),
)
