"""Another pool of the namespace chooses the same pods.

A picker counts the requests of its own pool alone. Where two pools share pods, each of them sends requests to servers that the other has
filled already, and models of the one pool are asked of servers of the other. Give each pool labels of its own. Pools of both groups with
one name are twins, as a migration has them, and aren't told of.

Source: upstream issue 724; Gateway API Inference Extension v1.6.0, site-src/guides/implementers.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import READ_BY_POOLS, know_all_pools, requested, sharing_pods
from policies.families.inference_extension.subject.workloads import READ, chosen
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    pool = requested(request)
    if not pool.selector:
        return
    pods = chosen(facts, config, pool.namespace, pool.selector)
    for other in sharing_pods(facts, pool, [found.labels for found in pods]):
        shared = next((found for found in pods if found.have(other.selector)), None)
        is_part = pool.selector.items() <= other.selector.items() or other.selector.items() <= pool.selector.items()
        if is_part or shared is not None:
            which = f"the pods of {shared}" if shared is not None else "pods with " + _text({**pool.selector, **other.selector})
            yield RULE.finding(
                pool.selector_path,
                f"{other} chooses {which}, too",
                found=_text(pool.selector),
                expected="labels that no other pool chooses",
                hint="give the pods of each pool a label of their own, and choose by that",
            )
    if not know_all_pools(facts):
        yield RULE.unchecked("not all InferencePools of the cluster are known")


def _text(labels: dict[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in sorted(labels.items()))


RULE = Rule(
    id="GIE-017",
    name="selectors-overlap",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension issue 724; v1.6.0 site-src/guides/implementers.md",
    reads=tuple(sorted((*READ_BY_POOLS, *READ))),
    check=_check,
    good="selector: {matchLabels: {app: sglang}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad=(
        "selector: {matchLabels: {app: vllm, size: large}}\ntargetPorts: [{number: 8000}]\n"
        "endpointPickerRef: {name: epp, port: {number: 9002}}"
    ),
    beside=(
        "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {name: other, namespace: default}\n"
        "spec: {selector: {matchLabels: {app: vllm}}, targetPorts: [{number: 8000}], "
        "endpointPickerRef: {name: picker, port: {number: 9002}}}"
    ),
)
