"""An elastic Playground has a trigger without metrics, so it scales by CPU.

The API server adds a default metric to an autoscaler without metrics: 80 % of the CPU that the pods request. A server that computes on
GPUs hardly uses the CPU under load, so the number of replicas hardly changes. Write metrics of the server, such as the number of
waiting requests.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go; Kubernetes v1.36, pkg/apis/autoscaling/v2/defaults.go.
"""

from weighbridge.policies.families.llmaz.predictions.playground import trigger_of
from weighbridge.policies.families.llmaz.rulebook import Said, Service, Violation, elastic, items


@elastic.note(good="accepts-a-trigger-with-a-metric", bad="notes-a-trigger-without-metrics")
def check(service: Service) -> Said:
    hpa, _ = trigger_of(service)
    if hpa is not None and not items(hpa, "metrics"):
        hint = "write metrics of the server, such as the number of waiting requests"
        path = ("spec", "elasticConfig", "scaleTrigger", "hpa", "metrics")
        yield Violation(path, "no metric is set, so it scales at 80 % of the CPU", hint)
