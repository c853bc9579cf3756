"""A service names a template that isn't available, so the service would never get a status.

aim-engine would write NotAvailable into the service's status. Its CRD doesn't allow that value, so the API server refuses every update
of the status, and the service never has one. kaiwo's service is Degraded. Leave the name out, or name a template whose GPU the cluster
has.

Source: aim-engine v0.2.1, internal/aimservice/reconcile.go; kaiwo dbca1b55, internal/controller/aim/shared/service_status.go.
"""

from weighbridge.policies.families.aim.predictions.template import NOT_AVAILABLE, state_of
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, Said, Service, Violation, name_of, services, text


@services.error(about=FAILURE, good="accepts-a-named-template-that-is-ready", bad="refuses-a-named-template-that-is-not-available")
def check(service: Service, given: Given) -> Said:
    template = service.template
    found = template.template if template is not None else None
    if template is None or found is None or template.selection is not None or not template.failure:
        return
    if state_of(found, service.dialect, given.facts) == NOT_AVAILABLE:
        yield Violation(
            ("spec", *service.dialect.template),
            f"{text(found, 'kind')} {name_of(found)} is NotAvailable"
            + ("; the service would get no status at all" if service.dialect.is_aim_engine else ""),
            hint="name a template whose GPU the cluster has, or leave the name out",
        )
