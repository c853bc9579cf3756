"""A Kubernetes Service that llmaz didn't create has the name of the one in front of the pods.

The controller creates the Service `<name>-lb` only if no Service has the name, and never changes an existing one. That one keeps its
ports and its selector, so its clients don't reach these pods. Remove the Service, or take another name.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from weighbridge.policies.families.llmaz.predictions.service import foreign_balancer
from weighbridge.policies.families.llmaz.rulebook import CLAIM_READS, Given, Said, Service, Violation, name_of, services


@services.warning(
    reads=(*CLAIM_READS, "Service.core"),
    good="accepts-a-front-service-of-its-own",
    bad="warns-of-a-front-service-of-another",
)
def check(service: Service, given: Given) -> Said:
    found = foreign_balancer(service, given.facts)
    if found is not None:
        taken = name_of(found)
        message = f"the core Service {taken} already exists and isn't llmaz's, so it keeps its ports and its selector"
        yield Violation(("metadata", "name"), message, found=service.name, hint=f"remove the Service {taken}, or choose another name")
