"""A service's path template doesn't evaluate to a path.

Each expression in braces must be a JSONPath that finds exactly one value of the service. The evaluation fails for a label that doesn't
exist, for a field such as `.spec.aimModelName`, which documents still show, and for a path of more than 200 characters. kaiwo then
creates no route, and the service is Degraded. aim-engine falls back to `/NAMESPACE/UID` without a message. Refer to fields that the
service has, such as `{.metadata.name}`.

Source: aim-engine v0.2.1, internal/aimservice/httproute.go; kaiwo dbca1b55, internal/controller/aim/shared/route_template.go.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Service, Violation, services


@services.error(
    about=FAILURE, mirrors="PathTemplateInvalid", good="accepts-a-route-with-a-gateway", bad="refuses-a-path-of-a-field-in-brackets"
)
def check(service: Service) -> Said:
    found = service.asked_route
    if found.problem and (found.path or found.failure):
        yield Violation(
            ("spec", "routing", "pathTemplate"),
            f'"{found.template}" gives no path: {found.problem}',
            found=found.template,
            hint="refer to fields that the service has, such as {.metadata.name}",
        )
