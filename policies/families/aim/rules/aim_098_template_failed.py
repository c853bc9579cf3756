"""A service names a template that has failed.

The operator makes no InferenceService of it. A template that is Failed stays so until it is changed or made anew; one that is Degraded may
heal by itself, so this warns. The conditions of the template tell why.

Source: aim-engine v0.2.1 internal/aimservice/template.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.aim.rules._examples import SERVICE_READS
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of


@services.warning(
    about=FAILURE,
    mirrors="condition TemplateReady, TemplateNotReady",
    reads=SERVICE_READS,
    good="waits-for-a-template-that-is-looked-into",
    bad="warns-of-a-template-that-failed",
)
def check(serving: Serving) -> Said:
    template = serving.template.template if serving.template is not None else None
    if template is None or serving.selection is not None:
        return
    state = text(part(template, "status"), "status")
    if state in ("Failed", "Degraded"):
        path = ("spec", *serving.dialect.template)
        message = f"{text(template, 'kind')} {name_of(template)} is {state}: no InferenceService is made until it is Ready{_why(template)}"
        yield Violation(path, message, found=name_of(template), hint="correct the template, name another one, or leave the name out")


def _why(template: JSONObject) -> str:
    """What the conditions of a template say of its failure."""
    false = [one for one in items(template, "status", "conditions") if text(one, "status") == "False" and text(one, "message")]
    return "".join(f"; {text(one, 'reason')}: {text(one, 'message')}" for one in false[:1])
