"""A service names a template of another model.

The operator doesn't compare the two. The image comes from the service's model (kaiwo: from the template's), the weights and the settings
from the template. Name a template of the service's model.

Source: aim-engine v0.2.1, internal/aimservice/template.go; kaiwo dbca1b55, internal/controller/aim/shared/service_observation.go.
"""

from weighbridge.policies.families.aim.rulebook import Said, Service, Violation, part, services, spec_of, text


@services.warning(good="accepts-the-template-of-a-service-s-model", bad="warns-of-a-template-of-another-model")
def check(service: Service) -> Said:
    name, template = service.template_name, service.template
    asked = text(part(service.spec, "model"), service.dialect.reference).strip()
    if template is None or template.template is None or not name or not asked:
        return
    of_template = text(spec_of(template.template), "modelName")
    if of_template != asked:
        yield Violation(
            ("spec", *service.dialect.template),
            f'template "{name}" is of model "{of_template}", and the service of model "{asked}"',
            found=name,
            hint=f"name a template of {asked}, or the model {of_template}",
        )
