"""The pool's selector takes the workers of a group as well, which don't listen on its port.

Of a model that runs on several nodes the leader alone serves HTTP. Where the selector takes leader and workers alike, the picker sends
requests to pods that refuse them. Choose the leaders, by a label that the workers don't have. Where the workers declare the port, too, as
with data parallel ranks on every node, nothing is wrong.

Source: LeaderWorkerSet v0.6.2, api/leaderworkerset/v1; Gateway API Inference Extension v1.6.0, api/v1/inferencepool_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import requested
from policies.families.inference_extension.subject.workloads import READ, Pods, chosen
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = requested(request)
    ports = frozenset(number for _, number in pool.ports)
    groups: dict[tuple[str, str], list[Pods]] = {}
    for pods in chosen(facts, config, pool.namespace, pool.selector):
        if pods.role:
            groups.setdefault((pods.kind, pods.name), []).append(pods)
    for group in groups.values():
        serving = [pods for pods in group if pods.ports & ports]
        silent = [pods for pods in group if not pods.ports & ports]
        if serving and silent:
            listed = ", ".join(map(str, sorted(serving[0].ports & ports)))
            yield RULE.finding(
                pool.selector_path,
                f"the selector takes the {silent[0].role}s of {silent[0]} as well, which don't declare port {listed}",
                found=", ".join(f"{key}={value}" for key, value in sorted(pool.selector.items())),
                expected=f"labels that the {serving[0].role}s alone have",
                hint=f"choose by {_telling(serving[0], silent)} as well",
            )


def _telling(serving: Pods, others: Sequence[Pods]) -> str:
    """A label that tells those that serve from the others, one of the author's rather than one of the controller's."""
    own = [label for label in sorted(serving.labels.items()) if all(label not in pods.labels.items() for pods in others)]
    key, value = min(own, key=lambda label: "/" in label[0])
    return f"{key}: {value}"


RULE = Rule(
    id="GIE-027",
    name="selector-takes-workers",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="LeaderWorkerSet v0.6.2 api/leaderworkerset/v1; Gateway API Inference Extension v1.6.0 api/v1/inferencepool_types.go",
    reads=READ,
    check=_check,
    good=(
        "selector: {matchLabels: {app: group, role: leader}}\ntargetPorts: [{number: 8000}]\n"
        "endpointPickerRef: {name: epp, port: {number: 9002}}"
    ),
    bad="selector: {matchLabels: {app: group}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    beside=(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: group, namespace: default}\n"
        "spec: {leaderWorkerTemplate: {size: 2, leaderTemplate: {metadata: {labels: {app: group, role: leader}}, "
        "spec: {containers: [{name: vllm, ports: [{containerPort: 8000}]}]}}, "
        "workerTemplate: {metadata: {labels: {app: group, role: worker}}, spec: {containers: [{name: vllm}]}}}}"
    ),
)
