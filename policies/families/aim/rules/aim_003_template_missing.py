"""The template that a service names isn't there.

It is looked for in the service's namespace, then in the cluster. aim-engine fails the service until it comes. It may come later in the same
rollout, so by default this warns; the configuration's `references` decides. kaiwo panics over it and never writes a status: in its group
this refuses, unless `references` is off.

Source: aim-engine v0.2.1 internal/aimservice/template.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.aim.predictions.template import derived_name
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.aim.rules._examples import SERVICE_READS
from weighbridge.policies.families.aim.subject.references import templates
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import lookup


@services.warning(
    about=FAILURE,
    mirrors="condition TemplateReady, TemplateNotFound",
    reads=SERVICE_READS,
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-template-that-is-missing",
)
def check(serving: Serving, given: Given) -> Said:
    template, name = serving.template, lookup(serving.spec, serving.dialect.template)
    overridden = serving.dialect.merges_deeply and isinstance(name, str) and derived_name(name, part(serving.spec, "overrides")) != name
    if template is None or not isinstance(name, str) or not name.strip() or overridden:
        return
    if template.unknown:
        yield NotChecked(template.unknown)
    elif template.template is None and template.reason == "TemplateNotFound":
        own, of_cluster = templates(given.group)
        silent = "" if serving.dialect.merges_deeply else "; the operator panics over it, and the service never gets a status"
        told = Violation(
            ("spec", *serving.dialect.template),
            f'neither namespace "{serving.namespace}" nor the cluster has a service template "{name}"{silent}',
            found=name,
            nearest=own.nearest(given.facts, serving.namespace, name) or of_cluster.nearest(given.facts, "", name),
            hint="create it first, or leave the name out and let the operator choose one",
        )
        weight = given.config.references.severity
        if weight is not None:
            yield replace(told, severity=weight if serving.dialect.merges_deeply else Severity.ERROR)
