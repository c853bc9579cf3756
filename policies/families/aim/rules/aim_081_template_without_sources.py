"""The template of a service is ready, and names no model sources.

aim-engine serves from caches alone, and makes none where neither the template nor its discovery names a source. So no InferenceService
comes, and the service stays Starting without a word. A template gets there when the output of its discovery job was empty or couldn't be
read.

Source: aim-engine v0.2.1 internal/aimservice/caching.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.resolve.template import named_in
from policies.families.aim.resolve.workload import sources_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.work is None or not serving.dialect.merges_deeply:
        return
    work = serving.work
    # What discovery will find isn't known before it ran.
    if not text(work.template.get("status"), "status") or sources_of(work):
        return
    yield RULE.finding(
        ("spec", *serving.dialect.template[: 2 if named_in(serving.spec, serving.dialect) else 1]),
        f"{text(work.template, 'kind')} {name_of(work.template)} is ready without a model source, so the service stays Starting for good",
        hint="name the sources in spec.modelSources of a template, or look why its discovery found none",
    )


RULE = Rule(
    id="AIM-081",
    name="template-without-sources",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/caching.go",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY
    + """
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMServiceTemplate
metadata: {name: empty, namespace: default}
spec: {modelName: llama, metric: latency}
status: {status: Ready}""",
    check=_check,
    good="model: {name: llama}",
    bad="model: {name: llama}\ntemplate: {name: empty}",
)
