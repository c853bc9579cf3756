"""Another autoscaler scales an object that llmaz owns.

At each reconcile llmaz writes the replicas of the Playground into its Service, and those of the Service into the LeaderWorkerSet. That
undoes the work of an autoscaler of these two. The Playground itself can be scaled, unless `elasticConfig` has a trigger: then llmaz
creates its own autoscaler for it. Scale the Playground, or the Service if there is no Playground.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go and service_controller.go.
"""

from weighbridge.policies.families.foreign_autoscalers import READ, ScaleTarget, foreign_autoscalers
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects, part


@objects.warning(
    kinds=("Playground", "Service"), reads=READ, good="accepts-an-autoscaler-of-the-playground", bad="warns-of-a-second-autoscaler"
)
def check(given: Given) -> Said:
    own, namespace, name = given.request.gvk, given.request.namespace, given.request.name
    owned = [("leaderworkerset.x-k8s.io", "LeaderWorkerSet")]
    if own.kind == "Playground":
        owned.append((own.group, "Service"))
    for group, kind in owned:
        for autoscaler in foreign_autoscalers(given.facts, ScaleTarget(group, kind, namespace, name)):
            yield Violation(
                ("metadata", "name"),
                f'{autoscaler} scales {kind} "{name}", and llmaz sets its replicas back at each reconcile',
                found=str(autoscaler),
                expected=f"an autoscaler of the {own.kind}",
                hint=f"let the {autoscaler.kind} scale the {own.kind} instead",
            )
    if own.kind == "Playground" and part(given.spec, "elasticConfig", "scaleTrigger"):
        for autoscaler in foreign_autoscalers(given.facts, ScaleTarget(own.group, own.kind, namespace, name)):
            yield Violation(
                ("spec", "elasticConfig", "scaleTrigger"),
                f"{autoscaler} scales this Playground, but llmaz creates an autoscaler for it too, because of elasticConfig",
                found=str(autoscaler),
                expected="one autoscaler",
                hint=f"remove the {autoscaler.kind}, or elasticConfig",
            )
