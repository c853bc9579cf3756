"""A service names a template that isn't available, and would never get a status.

aim-engine would write NotAvailable into the service's status, which its CRD doesn't allow: every update is refused, and the service stays
without a word. kaiwo's service is Degraded. Leave the name out, or name a template whose GPU the cluster has.

Source: aim-engine v0.2.1 internal/aimservice/status.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    template = serving.template
    if template is not None and template.selection is None and template.reason == "TemplateNotAvailable" and template.template is not None:
        yield RULE.finding(
            ("spec", *serving.dialect.template),
            template.failure + ("; the service would get no status at all" if serving.dialect.merges_deeply else ""),
            hint="name a template whose GPU the cluster has, or leave the name out",
        )


RULE = Rule(
    id="AIM-015",
    name="template-not-available",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/status.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY
    + """
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMServiceTemplate
metadata: {name: away, namespace: default}
spec: {modelName: llama, hardware: {gpu: {requests: 1, model: MI355X}}}
status: {status: NotAvailable}""",
    check=_check,
    good="model: {name: llama}\ntemplate: {name: fast}",
    bad="model: {name: llama}\ntemplate: {name: away}",
)
