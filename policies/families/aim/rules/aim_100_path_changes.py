"""The path of a route isn't the same for the whole life of a service.

A structure in a path template is printed with the addresses of what it points to, and they change with each restart of the operator:
`{.spec.model}` and `{.spec.routing}` always have one. `{.metadata.resourceVersion}` and `{.metadata.generation}` change with the service.
The operator then writes the route anew, and requests to the old path fail. Use `{.metadata.name}` or a label.

Source: aim-engine v0.2.1, internal/aimservice/httproute_template.go; kaiwo dbca1b55, internal/controller/aim/shared/route_template.go.
"""

from weighbridge.policies.families.aim.rulebook import Said, Service, Violation, services


@services.warning(good="accepts-a-path-of-the-name", bad="warns-of-a-path-that-has-an-address")
def check(service: Service) -> Said:
    found = service.asked_route
    if found.changes:
        message = f'"{found.template}" gives a path that changes: {found.unknown}'
        yield Violation(("spec", "routing", "pathTemplate"), message, found=found.template, hint="use {.metadata.name} or a label")
