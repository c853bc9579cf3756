"""An autoscaler of one's own acts on what llmaz owns.

llmaz writes the replicas of the Playground into its Service, and those of the Service into the LeaderWorkerSet, at each reconcile, so an
autoscaler of these is undone. The Playground itself can be scaled, unless `elasticConfig` has a trigger: then llmaz makes an autoscaler
of its own for it. Scale the Playground, or the Service where there is no Playground.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go and service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.foreign_autoscalers import READ, Target, foreign_autoscalers
from policies.families.llmaz.rules._examples import BESIDE
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    own, namespace, name = request.gvk, request.namespace, request.name
    owned = [("leaderworkerset.x-k8s.io", "LeaderWorkerSet")]
    if own.kind == "Playground":
        owned.append((own.group, "Service"))
    for group, kind in owned:
        for autoscaler in foreign_autoscalers(facts, Target(group, kind, namespace, name)):
            yield RULE.finding(
                ("metadata", "name"),
                f'{autoscaler} scales {kind} "{name}", and llmaz sets its replicas back at each reconcile',
                found=str(autoscaler),
                expected=f"an autoscaler of the {own.kind}",
                hint=f"let the {autoscaler.kind} scale the {own.kind} instead",
            )
    if own.kind == "Playground" and part(spec_of(request.object), "elasticConfig", "scaleTrigger"):
        for autoscaler in foreign_autoscalers(facts, Target(own.group, own.kind, namespace, name)):
            yield RULE.finding(
                ("spec", "elasticConfig", "scaleTrigger"),
                f"{autoscaler} scales this Playground, and elasticConfig makes an autoscaler for it, too",
                found=str(autoscaler),
                expected="one autoscaler",
                hint=f"remove the {autoscaler.kind}, or elasticConfig",
            )


RULE = Rule(
    id="LLMAZ-078",
    name="own-autoscaler",
    severity=Severity.WARNING,
    kinds=("Playground", "Service"),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    reads=READ,
    check=_check,
    good="metadata: {name: other}\nspec: {modelClaim: {modelName: wide}}",
    bad="metadata: {name: chat}\nspec: {modelClaim: {modelName: wide}}",
    beside=(
        f"{BESIDE}\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: mine, namespace: default}}\n"
        "spec: {scaleTargetRef: {apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, name: chat}, maxReplicas: 4}"
    ),
)
