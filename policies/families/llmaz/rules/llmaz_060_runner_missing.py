"""A template of a Service has no container `model-runner`.

That one gets the model and the limits of the flavor. Without it the pods have neither: upstream refuses that of the workers, and only
when the Service is created.

Source: llmaz 3c13ff3 pkg/webhook/service_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.kinds import RUNNER
from weighbridge.policies.families.llmaz.predictions.service import has_runner
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import items, part, text


@objects.error(
    kinds=("Service",),
    mirrors="model-runner container doesn't exist",
    good="accepts-a-group-of-one-worker",
    bad="refuses-workers-without-model-runner",
)
def check(given: Given) -> Said:
    templates = part(given.spec, "workloadTemplate")
    if given.request.subresource or not isinstance(given.object, dict):
        return
    for template in ("leaderTemplate", "workerTemplate"):
        if isinstance(templates.get(template), dict) and not has_runner(given.object, template):
            names = [text(found, "name") for found in items(templates, template, "spec", "containers")]
            path = ("spec", "workloadTemplate", template, "spec", "containers")
            message = "no container is named model-runner, so the flavor's limits and the model go nowhere"
            yield Violation(path, message, found=", ".join(names), expected=RUNNER)
