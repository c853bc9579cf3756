"""The operator can't choose any of the model's templates.

A template must be ready and fit the overrides (aim-engine only), and the cluster must have its GPU. It must be optimized unless
`template.allowUnoptimized` is set. If several templates are equally good, the operator chooses none. The service then waits, with
TemplateNotFound as the only reason. Name a template that is ready. The templates may still change, so the rule only warns. While the
operator still checks one of them, the finding is a note.

Source: aim-engine v0.2.1, internal/aimservice/selection.go; kaiwo dbca1b55, internal/controller/aim/shared/profile_selection.go.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Service, Severity, Violation, listed, services

_HINTS = {"TemplateSelectionAmbiguous": "name one of them, or delete the others"}


@services.warning(
    about=FAILURE,
    mirrors="condition TemplateReady, TemplateNotFound",
    good="accepts-unoptimized-templates-where-they-are-allowed",
    bad="warns-of-unoptimized-templates-that-are-not-allowed",
)
def check(service: Service) -> Said:
    template, selection = service.template, service.selection
    if template is None or selection is None or selection.chosen is not None or template.unknown:
        return
    if not selection.left_out and not selection.tied:
        message = f"model {service.model.name if service.model is not None else ''} has no template"
    else:
        reasons = listed([f"{one.name} ({reason})" for one, reason in selection.left_out])
        tied = listed([one.name for one in selection.tied])
        message = f"{selection.message}: {tied or reasons}"
    hint = _HINTS.get(selection.reason, "name a template that is ready")
    yield Violation(("spec", service.dialect.template[0]), message, hint, severity=Severity.NOTE if template.waits else None)
