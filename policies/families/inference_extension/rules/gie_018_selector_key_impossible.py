"""A key of the pool's selector can't be the key of a label.

The CRDs check the values of the selector and not its keys. No pod can have such a label, since the API server refuses it there, so the
pool never chooses a pod. Write the key as it stands on the pods.

Source: Gateway API Inference Extension v1.6.0, api/v1/shared_types.go; Kubernetes v1.36, apimachinery/pkg/util/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import requested
from policies.findings import Finding, Severity
from policies.request import Request
from policies.schema.names import qualified_name


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = requested(request)
    for key in pool.selector:
        problems = qualified_name(key)
        if problems:
            yield RULE.finding(
                (*pool.selector_path, key),
                f'no pod can have a label "{key}": {problems[0]}',
                found=key,
                hint="write the key as it stands on the pods",
            )


RULE = Rule(
    id="GIE-018",
    name="selector-key-impossible",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.6.0 api/v1/shared_types.go",
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {app name: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
)
