"""The template that a service names isn't there.

It is looked for in the service's namespace, then in the cluster. aim-engine fails the service until it comes. It may come later in the same
rollout, so by default this warns; the configuration's `references` decides. kaiwo panics over it and never writes a status: in its group
this refuses, unless `references` is off.

Source: aim-engine v0.2.1 internal/aimservice/template.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.resolve.template import derived_name
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.aim.subject.references import templates
from policies.families.family import Rule
from policies.fields import part
from policies.findings import Finding, Severity, Unchecked
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    template, name = serving.template, lookup(serving.spec, serving.dialect.template)
    overridden = serving.dialect.merges_deeply and isinstance(name, str) and derived_name(name, part(serving.spec, "overrides")) != name
    if template is None or not isinstance(name, str) or not name.strip() or overridden:
        return
    if template.unknown:
        yield RULE.unchecked(template.unknown)
    elif template.template is None and template.reason == "TemplateNotFound":
        own, of_cluster = templates(request.gvk.group)
        silent = "" if serving.dialect.merges_deeply else "; the operator panics over it, and the service never gets a status"
        told = RULE.finding(
            ("spec", *serving.dialect.template),
            f'neither namespace "{serving.namespace}" nor the cluster has a service template "{name}"{silent}',
            found=name,
            nearest=own.nearest(facts, serving.namespace, name) or of_cluster.nearest(facts, "", name),
            hint="create it first, or leave the name out and let the operator choose one",
        )
        weight = config.references.severity
        if weight is not None:
            yield replace(told, severity=weight if serving.dialect.merges_deeply else Severity.ERROR)


RULE = Rule(
    id="AIM-003",
    name="template-missing",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/template.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go",
    mirrors="condition TemplateReady, TemplateNotFound",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY,
    check=_check,
    good="model: {name: llama}\ntemplate: {name: fast}",
    bad="model: {name: llama}\ntemplate: {name: fats}",
)
