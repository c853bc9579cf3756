"""A component sets both minAvailable and maxUnavailable.

OME creates a PodDisruptionBudget with both, which the API server refuses. The controller retries for ever, and only its log has the
reason. Remove one of the two.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/pdb.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, services


@services.error(about=FAILURE, good="accepts-a-budget-of-one-kind", bad="refuses-a-budget-of-both-kinds")
def check(service: Service) -> Said:
    for name, component in service.components():
        if component.get("minAvailable") is not None and component.get("maxUnavailable") is not None:
            message = "a PodDisruptionBudget takes minAvailable or maxUnavailable, not both"
            yield Violation(("spec", name, "minAvailable"), message, hint="leave one of them out")
