"""A template of a Service has no container `model-runner`.

That container gets the model and the limits of the flavor. Without it the pods have neither. llmaz's webhook refuses this only for
workers, and only when the Service is created. Give the container this name.

Source: llmaz 3c13ff3, pkg/webhook/service_webhook.go.
"""

from weighbridge.policies.families.llmaz.kinds import RUNNER
from weighbridge.policies.families.llmaz.rulebook import JSONObject, Said, Violation, items, templates, text


@templates.error(
    mirrors="model-runner container doesn't exist",
    good="accepts-a-group-of-one-worker",
    bad="refuses-workers-without-model-runner",
)
def check(workload: JSONObject) -> Said:
    for template in ("leaderTemplate", "workerTemplate"):
        names = [text(container, "name") for container in items(workload, template, "spec", "containers")]
        if isinstance(workload.get(template), dict) and RUNNER not in names:
            path = ("spec", "workloadTemplate", template, "spec", "containers")
            message = "no container is named model-runner, so no container gets the flavor's limits and the model"
            yield Violation(path, message, found=", ".join(names), expected=RUNNER)
