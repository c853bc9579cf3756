"""Another autoscaler scales an object that LLMKube owns.

LLMKube keeps the current number of replicas of its Deployment only if `spec.autoscaling` is set. Otherwise each reconcile sets the number
back to `spec.replicas`, and the two fight. With `spec.autoscaling` LLMKube creates a HorizontalPodAutoscaler itself, and the two
autoscalers undo each other's work. An autoscaler of the InferenceService itself never scales, because the scale subresource has no
selector, which autoscalers need. Set `spec.autoscaling` instead.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go and api/v1alpha1; upstream issue 1881.
"""

from weighbridge.policies.families.foreign_autoscalers import READ, Autoscaler, ScaleTarget, foreign_autoscalers
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, services
from weighbridge.policies.families.llmkube.subject.references import GROUP


@services.warning(
    topic="Services: replicas and autoscaling", reads=READ, good="accepts-autoscalers-of-others", bad="warns-of-a-second-autoscaler"
)
def check(service: Service) -> Said:
    namespace, name, facts = service.request.namespace, service.request.name, service.facts
    has_own = isinstance(service.spec.get("autoscaling"), dict)
    why = f'Deployment "{name}", which the operator\'s own HorizontalPodAutoscaler scales, too'
    if not has_own:
        why = f'Deployment "{name}", and LLMKube sets its replicas back at each reconcile'
    for autoscaler in foreign_autoscalers(facts, ScaleTarget("apps", "Deployment", namespace, name)):
        yield _finding(autoscaler, why, has_own=has_own)
    for autoscaler in foreign_autoscalers(facts, ScaleTarget(GROUP, "InferenceService", namespace, name)):
        yield _finding(autoscaler, "this service, whose scale subresource has no selector, so it never scales", has_own=has_own)


def _finding(autoscaler: Autoscaler, why: str, *, has_own: bool) -> Violation:
    hint = f"remove the {autoscaler.kind}" if has_own else f"set spec.autoscaling instead, and remove the {autoscaler.kind}"
    return Violation(("metadata", "name"), f"{autoscaler} scales {why}", found=str(autoscaler), expected="spec.autoscaling", hint=hint)
