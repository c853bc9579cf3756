"""A service names a template that has failed, or whose model is missing.

The operator creates no InferenceService. A Failed template stays Failed until it is changed or created again. A Degraded one may recover,
so the rule only warns. The conditions of the template show why it failed. With kaiwo a service is Degraded if its template names a model
that doesn't exist, even if the template is ready. Correct the template, name another one, or leave the name out.

Source: aim-engine v0.2.1, internal/aimservice/template.go; kaiwo dbca1b55, internal/controller/aim/shared/service_status.go.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, JSONObject, Said, Service, Violation, items, name_of, part, services, text


@services.warning(
    about=FAILURE,
    mirrors="condition TemplateReady, TemplateNotReady",
    good="waits-for-a-template-that-is-looked-into",
    bad="warns-of-a-template-that-failed",
)
def check(service: Service) -> Said:
    template = service.template.template if service.template is not None else None
    if template is None or service.selection is not None:
        return
    state = text(part(template, "status"), "status")
    if state == "Ready" and any(text(one, "reason") == "ImageNotFound" for one in service.conditions):
        yield Violation(("spec", *service.dialect.template), service.failure, found=name_of(template), hint="create the model")
    if state in ("Failed", "Degraded"):
        path = ("spec", *service.dialect.template)
        message = f"{text(template, 'kind')} {name_of(template)} is {state}: no InferenceService before it is Ready{_why(template)}"
        yield Violation(path, message, found=name_of(template), hint="correct the template, name another one, or leave the name out")


def _why(template: JSONObject) -> str:
    """The reason of a template's failure, from its conditions."""
    told = [one for one in items(template, "status", "conditions") if text(one, "message")]
    failed = [one for one in told if text(one, "type") == "Failure" and text(one, "status") == "True"]
    false = [one for one in told if text(one, "type") != "Failure" and text(one, "status") == "False"]
    return "".join(f"; {text(one, 'reason')}: {text(one, 'message')}" for one in [*failed, *false][:1])
