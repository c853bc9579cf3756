"""A service names a template that isn't available, and would never get a status.

aim-engine would write NotAvailable into the service's status. Its CRD doesn't allow that value, so every update of the status is refused
and the service stays without one. kaiwo's service is Degraded. Leave the name out, or name a template whose GPU the cluster has.

Source: aim-engine v0.2.1, internal/aimservice/status.go; kaiwo dbca1b55, internal/controller/aim/shared/service_status.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Service, Violation, services


@services.error(about=FAILURE, good="accepts-a-named-template-that-is-ready", bad="refuses-a-named-template-that-is-not-available")
def check(service: Service) -> Said:
    template = service.template
    if template is not None and template.template is not None and template.selection is None and template.reason == "TemplateNotAvailable":
        yield Violation(
            ("spec", *service.dialect.template),
            template.failure + ("; the service would get no status at all" if service.dialect.is_aim_engine else ""),
            hint="name a template whose GPU the cluster has, or leave the name out",
        )
