"""The template that a service names doesn't exist.

The operator looks for the template in the service's namespace, then in the cluster. aim-engine fails the service until the template
exists. Create the template first, or leave the name out. The template may come later in the same rollout, so the rule warns by default.
The configuration's `references` can make it an error. kaiwo panics over a missing template and never writes a status, so in its API
group the finding is an error unless `references` is off.

Source: aim-engine v0.2.1, internal/aimservice/template.go; kaiwo dbca1b55, internal/controller/aim/shared/service_status.go.
"""

from weighbridge.policies.families.aim.predictions.template import derived_name
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, NotChecked, Said, Service, Severity, Violation, part, services
from weighbridge.policies.families.aim.subject.references import templates as templates_of


@services.warning(
    about=FAILURE,
    mirrors="condition TemplateReady, TemplateNotFound",
    good="accepts-a-template-by-its-name",
    bad="warns-of-a-template-that-is-missing",
)
def check(service: Service, given: Given) -> Said:
    template, name, is_aim_engine = service.template, service.template_name, service.dialect.is_aim_engine
    # AIM-012 reports overrides.
    overridden = is_aim_engine and derived_name(name, part(service.spec, "overrides")) != name
    if template is None or not name or overridden:
        return
    weight = given.config.references.severity
    if template.unknown:
        yield NotChecked(template.unknown)
    elif template.template is None and template.reason == "TemplateNotFound" and weight is not None:
        silent = "" if is_aim_engine else "; the operator panics over it, and the service never gets a status"
        yield Violation(
            ("spec", *service.dialect.template),
            f'neither namespace "{service.namespace}" nor the cluster has a service template "{name}"{silent}',
            found=name,
            nearest=templates_of(given.group).nearest(given.facts, service.namespace, name),
            hint="create it first, or leave the name out and let the operator choose one",
            severity=weight if is_aim_engine else Severity.ERROR,
        )
