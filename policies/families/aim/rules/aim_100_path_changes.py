"""The path of a route changes during the life of a service.

The operator prints a structure in a path template with memory addresses, which change with each restart of the operator. `{.spec.model}`
and `{.spec.routing}` always contain such an address. `{.metadata.resourceVersion}` and `{.metadata.generation}` change with the service.
The operator then updates the route, and requests to the old path fail. Use `{.metadata.name}` or a label.

Source: aim-engine v0.2.1, internal/aimservice/httproute_template.go; kaiwo dbca1b55, internal/controller/aim/shared/route_template.go.
"""

from weighbridge.policies.families.aim.rulebook import Said, Service, Violation, services


@services.warning(good="accepts-a-path-of-the-name", bad="warns-of-a-path-that-has-an-address")
def check(service: Service) -> Said:
    found = service.asked_route
    if found.changes:
        message = f'"{found.template}" gives a path that changes: {found.unknown}'
        yield Violation(("spec", "routing", "pathTemplate"), message, found=found.template, hint="use {.metadata.name} or a label")
