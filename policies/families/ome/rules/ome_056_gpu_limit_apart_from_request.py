"""A service changes only the limit or only the request of its runtime's GPUs.

OME merges requests and limits by name, so a value that the service doesn't set stays as the runtime has it. The request and the limit
of a device must be equal, so the API server refuses the Deployment. Write both.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, amounts, deployed, part


@deployed.error(about=FAILURE, good="accepts-a-limit-of-gpus-with-its-request", bad="refuses-a-limit-of-gpus-without-its-request")
def check(service: Service) -> Said:
    for component, own, base, title in service.merges:
        path = ("runner", "resources")
        requests, limits = (amounts(base, *path, side) | amounts(own, *path, side) for side in ("requests", "limits"))
        for name in sorted(set(requests) & set(limits)):
            if "/" in name and requests[name] != limits[name]:
                yield Violation(
                    ("spec", component, *path, "limits" if name in part(own, *path, "limits") else "requests", name),
                    f"with {title} the request is {requests[name]} and the limit {limits[name]}, but they must be equal",
                    hint="write both in the service",
                )
