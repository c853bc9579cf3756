"""An autoscaler of one's own acts on a Deployment that OME scales itself.

OME makes a HorizontalPodAutoscaler or a ScaledObject for the Deployment of each component. With a second one neither scales, since both
choose the same pods, or they undo each other's work. OME itself leaves the live number of replicas alone. Set the annotation
`ome.io/autoscalerClass: external`, with which OME makes none.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/autoscaler/autoscaler_reconciler.go and
reconcilers/deployment/deployment_reconciler.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.foreign_autoscalers import READ, Target, foreign_autoscalers
from policies.families.ome.rules._examples import SERVED
from policies.fields import text_map
from policies.findings import Finding, Severity
from policies.request import Request

_CLASS: Final = "ome.io/autoscalerClass"
_COMPONENTS: Final = ("engine", "decoder", "router")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if text_map(request.object, "metadata", "annotations").get(_CLASS) == "external":
        return
    for component in _COMPONENTS:
        if component not in spec_of(request.object):
            continue
        name = f"{request.name}-{component}"
        for autoscaler in foreign_autoscalers(facts, Target("apps", "Deployment", request.namespace, name)):
            yield RULE.finding(
                ("spec", component),
                f'{autoscaler} scales Deployment "{name}", which OME makes an autoscaler for, too',
                found=str(autoscaler),
                expected="one autoscaler",
                hint=f"set the annotation {_CLASS}: external, or remove the {autoscaler.kind}",
            )


RULE = Rule(
    id="OME-180",
    name="own-autoscaler",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/autoscaler/autoscaler_reconciler.go",
    reads=READ,
    check=_check,
    good="metadata: {name: chat, annotations: {ome.io/autoscalerClass: external}}\nspec: {model: {name: llama}, engine: {minReplicas: 1}}",
    bad="metadata: {name: chat}\nspec: {model: {name: llama}, engine: {minReplicas: 1}}",
    beside=(
        f"{SERVED}\n---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {{name: mine, namespace: default}}\n"
        "spec: {scaleTargetRef: {name: chat-engine}, maxReplicaCount: 4}"
    ),
)
