"""A template requests another number of GPUs than its limit.

The operator writes its own requests and limits and merges the template's into them, requests and limits separately. The API server refuses
a pod whose requests and limits of extended resources differ. Every service of the template would fail, unless its own resources correct
that. Set both to the same number, or leave both to the template's hardware.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; kaiwo dbca1b55, internal/controller/aim/shared/kserve.go.
"""

from weighbridge.policies.families.aim.rulebook import Said, Template, Violation, amount, part, templates, text, whole
from weighbridge.policies.families.aim.subject.gpus import RESOURCE


@templates.warning(good="accepts-gpus-of-a-template-on-both-sides", bad="warns-of-gpus-that-a-template-only-requests")
def check(template: Template) -> Said:
    resource, count = text(template.gpu, "resourceName") or RESOURCE, whole(template.gpu, template.dialect.count)
    asked, most = (part(template.spec, "resources", side).get(resource) for side in ("requests", "limits"))
    asked, most = (written if amount(written) is not None else None for written in (asked, most))
    default = count if count > 0 else None
    request, limit = (default if written is None else written for written in (asked, most))
    if amount(request) != amount(limit) and (asked is not None or (most is not None and default is not None)):
        yield Violation(
            ("spec", "resources"),
            f"pods would request {request} {resource} with a limit of {'none' if limit is None else limit}",
            hint="set both to the same number, or leave both to the template's hardware",
        )
