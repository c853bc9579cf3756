"""The pods that the pool chooses declare other ports than the one that it sends requests to.

Requests go to this port of each pod. A container needn't declare the port that it listens on, so this is only looked at where all chosen
workloads declare some. A common slip is to write the port of the Service. Write the port that the server listens on.

Source: Gateway API Inference Extension v1.6.0, api/v1/inferencepool_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import requested
from policies.families.inference_extension.subject.workloads import READ, chosen
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = requested(request)
    workloads = chosen(facts, config, pool.namespace, pool.selector)
    if not workloads or not all(pods.ports for pods in workloads):
        return
    declared = frozenset().union(*(pods.ports for pods in workloads))
    for path, number in pool.ports:
        if number not in declared:
            yield RULE.finding(
                path,
                f"the pods of {workloads[0]} declare no port {number}; they declare {_text(workloads[0].ports)}",
                found=str(number),
                expected=_text(declared),
                hint="write the port that the model server listens on",
            )


def _text(ports: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(ports)))


RULE = Rule(
    id="GIE-016",
    name="target-port-not-declared",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.6.0 api/v1/inferencepool_types.go",
    reads=READ,
    is_about_reference=True,
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 80}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    beside=(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: vllm, namespace: default}\n"
        "spec: {template: {metadata: {labels: {app: vllm}}, spec: {containers: [{name: vllm, ports: [{containerPort: 8000}]}]}}}"
    ),
)
