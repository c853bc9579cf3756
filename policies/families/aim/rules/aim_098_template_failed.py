"""A service names a template that has failed.

The operator makes no InferenceService of it. A template that is Failed stays so until it is changed or made anew; one that is Degraded may
heal by itself, so this warns. The conditions of the template tell why.

Source: aim-engine v0.2.1 internal/aimservice/template.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.fields import items, part, text
from policies.findings import Finding, Severity
from policies.objects import JSONObject, name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    template = serving.template.template if serving is not None and serving.template is not None else None
    if serving is None or template is None or serving.selection is not None:
        return
    state = text(part(template, "status"), "status")
    if state in ("Failed", "Degraded"):
        path = ("spec", *serving.dialect.template)
        message = f"{text(template, 'kind')} {name_of(template)} is {state}: no InferenceService is made until it is Ready{_why(template)}"
        yield RULE.finding(path, message, found=name_of(template), hint="correct the template, name another one, or leave the name out")


def _why(template: JSONObject) -> str:
    """What the conditions of a template say of its failure."""
    false = [one for one in items(template, "status", "conditions") if text(one, "status") == "False" and text(one, "message")]
    return "".join(f"; {text(one, 'reason')}: {text(one, 'message')}" for one in false[:1])


RULE = Rule(
    id="AIM-098",
    name="template-failed",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/template.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go",
    mirrors="condition TemplateReady, TemplateNotReady",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY
    + """
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMServiceTemplate
metadata: {name: broken, namespace: default}
spec: {modelName: llama}
status: {status: Failed, conditions: [{type: Discovered, status: "False", reason: DiscoveryFailed, message: the job ended with code 1}]}""",
    check=_check,
    good="model: {name: llama}\ntemplate: {name: fast}",
    bad="model: {name: llama}\ntemplate: {name: broken}",
)
