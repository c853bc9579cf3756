"""The path of a route depends on the service's status.

The status is empty when the service is created, so the path first fails or lacks a part. When the status is written, aim-engine updates
the route, and the path changes under its users. Use `{.metadata.name}` or a label.

Source: aim-engine v0.2.1, internal/aimservice/httproute.go; kaiwo dbca1b55, internal/controller/aim/shared/route_template.go.
"""

from weighbridge.policies.families.aim.predictions.paths.path_template import expressions
from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, part, specs, text


@specs.warning(
    kinds=("AIMService", "AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
    good="accepts-a-route-with-a-gateway",
    bad="warns-of-a-path-of-the-status-of-a-service",
)
def check(spec: JSONObject) -> Said:
    template = text(part(spec, "routing"), "pathTemplate")
    named = next((found for found in expressions(template) if found.startswith(".status")), "")
    if named:
        yield Violation(
            ("spec", "routing", "pathTemplate"),
            f"{{{named}}} is empty until the service runs, and the path changes then",
            found=template,
            hint="use {.metadata.name} or a label",
        )
