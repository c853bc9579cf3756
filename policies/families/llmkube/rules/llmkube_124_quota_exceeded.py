"""A service takes more than what is left of a GPUQuota of its namespace.

The quota counts the GPUs of one pod (of the Model, else of the service) times the most replicas that autoscaling may
create, suspended or not. It counts memory by `replicas`. If the quota webhook is installed, it refuses the service, and
so does this rule. Without the webhook the rule warns, or refuses if the configuration sets it to deny. The rule only
warns of a change that takes less than before. It ignores services that Kueue queues. Without the webhook it doesn't
report unknown quotas as unchecked.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go; internal/webhook/quota/decision.go; measured.
"""

from weighbridge.policies.families.llmkube.rulebook import NotChecked, Said, Service, Severity, Violation, services
from weighbridge.policies.families.llmkube.rules._quotas import quota_excesses, quota_namespace
from weighbridge.policies.families.llmkube.subject.quota_charges import charge
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.llmkube.upstream.quota_webhook import WEBHOOK, Limit, applicable, is_queued
from weighbridge.policies.ground.fields import part, whole
from weighbridge.policies.ground.objects import JSONObject, Path, name_of


@services.error(
    topic="Services: GPUQuotas",
    mirrors=WEBHOOK,
    reads=("Deployment.apps", "GPUQuota", "InferenceService", "Model", "Namespace"),
    good="accepts-a-service-that-kueue-queues",
    bad="warns-above-a-quota-without-webhook",
)
def check(service: Service) -> Said:
    facts, operator = service.facts, service.operator
    if is_queued(service.object) or not operator.since(0, 9, 6):
        return
    found = list(quota_excesses(service, Limit.GPUS, Limit.MEMORY))
    for excess in found:
        severity = None if operator.quota_webhook and not _asks_for_less(service) else Severity.WARNING
        said = f"GPUQuota {name_of(excess.quota)}: {excess.reason}"
        yield Violation(_path(service.spec), said, hint="request less, or make room in the quota", severity=severity)
    namespace = quota_namespace(service)
    known, undecided = applicable(namespace, facts)
    if operator.quota_webhook and not facts.objects.knows_all(GROUP, "GPUQuota"):
        yield NotChecked("not all GPUQuotas of the cluster are known")
    elif undecided:
        yield NotChecked(f'the labels of namespace "{namespace}" aren\'t known, and GPUQuota {name_of(undecided[0])} selects by them')
    elif known and not found and not all(facts.objects.knows_all(GROUP, kind) for kind in ("InferenceService", "Model")):
        yield NotChecked("not all services and Models of the cluster are known, so more of the quota may be taken")


def _asks_for_less(service: Service) -> bool:
    """Whether an update takes less of the quota than before. The rule only warns then, so that a service can be scaled down."""
    request, namespace = service.request, quota_namespace(service)
    if not isinstance(request.object, dict) or not isinstance(request.old_object, dict):
        return False
    before, after = (charge(state, namespace, service.facts, service.operator) for state in (request.old_object, request.object))
    return after.gpus < before.gpus and (after.vram or 0) <= (before.vram or 0)


def _path(spec: JSONObject) -> Path:
    """The field in which the service could request less."""
    if part(spec, "autoscaling"):
        return ("spec", "autoscaling", "maxReplicas")
    return ("spec", "replicas") if whole(spec, "replicas", 1) > 1 else ("spec", "resources", "gpu")
