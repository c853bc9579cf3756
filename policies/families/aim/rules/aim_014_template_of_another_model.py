"""A service names a template of another model.

The operator doesn't compare them: the image comes from the service's model (kaiwo: from the template's), the weights and the settings from
the template.

Source: aim-engine v0.2.1 internal/aimservice/template.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule, spec_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    template, name = serving.template, lookup(serving.spec, serving.dialect.template)
    asked = text(part(serving.spec, "model"), serving.dialect.reference).strip()
    if template is None or template.template is None or not isinstance(name, str) or not name or not asked:
        return
    of_template = text(spec_of(template.template), "modelName")
    if of_template != asked:
        yield RULE.finding(
            ("spec", *serving.dialect.template),
            f'template "{name}" is of model "{of_template}", and the service of model "{asked}"',
            found=name,
            hint=f"name a template of {asked}, or the model {of_template}",
        )


RULE = Rule(
    id="AIM-014",
    name="template-of-another-model",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/template.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go",
    reads=SERVICE_READS,
    beside=READY,
    check=_check,
    good="model: {name: llama}\ntemplate: {name: fast}",
    bad="model: {name: llama}\ntemplate: {name: shared-fast}",
)
