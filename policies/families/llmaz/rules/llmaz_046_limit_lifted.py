"""A limit of a Playground is below what its runtime requests, so llmaz raises it.

If the Playground has no request, llmaz uses the runtime's. Write the request next to the limit.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.predictions.resources import amounts
from weighbridge.policies.families.llmaz.rulebook import Said, Service, Violation, part, playgrounds


@playgrounds.warning(good="accepts-a-limit-above-its-request", bad="warns-of-a-limit-below-the-request-of-the-runtime")
def check(service: Service) -> Said:
    own = part(service.object, "spec", "backendRuntimeConfig").get("resources")
    if not isinstance(own, dict) or service.config is None:
        return
    for name, found in amounts(own, part(service.config, "resources"))["limits"].items():
        written = part(own, "limits").get(name)
        if written is not None and found.side == "requests" and name not in part(own, "requests"):
            path = ("spec", "backendRuntimeConfig", "resources", "limits", name)
            message = f"the runtime requests {found.value} of {name}, to which the limit is raised"
            yield Violation(path, message, "give the request as well", str(written))
