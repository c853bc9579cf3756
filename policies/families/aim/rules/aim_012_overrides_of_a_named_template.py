"""A service names its template and overrides parts of it.

aim-engine then looks for a template with a derived name, which nothing ever creates. The service fails; if the cluster has a template
with the base name, aim-engine uses that one and ignores the overrides. Name a template that fits as it is, or set the overrides without
a name: aim-engine then uses them to choose among the templates.

Source: aim-engine v0.2.1, internal/aimservice/template.go.
"""

from weighbridge.policies.families.aim.predictions.template import derived_name
from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Service, Violation, name_of, part, services


@services.error(
    about=FAILURE,
    mirrors="condition TemplateReady, TemplateNotFound",
    good="accepts-a-template-by-its-name",
    bad="refuses-overrides-of-a-named-template",
)
def check(service: Service) -> Said:
    name, template = service.template_name, service.template
    if not service.dialect.is_aim_engine or not name or template is None or template.unknown:
        return
    wanted = derived_name(name.strip(), part(service.spec, "overrides"))
    found = template.template
    if wanted != name.strip() and (found is None or name_of(found) != wanted):
        runs = "" if found is None else f"; aim-engine runs the cluster's template {name_of(found)} instead, and ignores the overrides"
        yield Violation(
            ("spec", "overrides"),
            f'overrides of template "{name}" need a template "{wanted}", which nothing creates{runs}',
            hint="leave spec.template.name out, so that the overrides choose the template, or name one that is as wanted",
        )
