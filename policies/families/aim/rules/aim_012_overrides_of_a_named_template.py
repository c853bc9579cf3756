"""A service names its template and overrides parts of it.

aim-engine then looks for a template of a derived name that nothing ever makes: the service fails, or, where the cluster has a template of
the same base name, runs that one and ignores the overrides. Name a template that is as wanted, or give the overrides without a name: then
they choose among the templates.

Source: aim-engine v0.2.1 internal/aimservice/template.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.resolve.template import derived_name
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.fields import part
from policies.findings import Finding, Severity
from policies.objects import lookup, name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    name = lookup(serving.spec, serving.dialect.template)
    if not serving.dialect.merges_deeply or not isinstance(name, str) or not name.strip() or serving.template is None:
        return
    wanted = derived_name(name.strip(), part(serving.spec, "overrides"))
    found = serving.template.template
    if wanted != name.strip() and (found is None or name_of(found) != wanted) and not serving.template.unknown:
        runs = "" if found is None else f"; aim-engine runs the cluster's template {name_of(found)} instead, and ignores the overrides"
        yield RULE.finding(
            ("spec", "overrides"),
            f'overrides of template "{name}" need a template "{wanted}", which nothing creates{runs}',
            hint="leave spec.template.name out, so that the overrides choose the template, or name one that is as wanted",
        )


RULE = Rule(
    id="AIM-012",
    name="overrides-of-a-named-template",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/template.go",
    mirrors="condition TemplateReady, TemplateNotFound",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY,
    check=_check,
    good="model: {name: llama}\noverrides: {metric: latency}",
    bad="model: {name: llama}\ntemplate: {name: fast}\noverrides: {metric: throughput}",
)
