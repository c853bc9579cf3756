"""A query for KEDA has no place for the component's name.

OME fills the name in with Go's printf. Without `%s` the text `%!(EXTRA string=...)` is put behind the query, which Prometheus can't read.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/keda.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    query = text(part(spec_of(request.object), "kedaConfig"), "customPromQuery")
    if query and "%s" not in query:
        yield RULE.finding(
            ("spec", "kedaConfig", "customPromQuery"),
            "OME fills in the component's name with printf, and without %s spoils the query",
            expected='a query with %s, as in rate(requests{service="%s"}[1m])',
        )


RULE = Rule(
    id="OME-072",
    name="keda-query-without-component",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/keda",
    beside=SERVED,
    check=_check,
    good="""\
metadata: {annotations: {ome.io/autoscalerClass: keda}}
spec: {model: {name: llama}, engine: {}, kedaConfig: {customPromQuery: 'rate(requests{service="%s"}[1m])'}}
""",
    bad="""\
metadata: {annotations: {ome.io/autoscalerClass: keda}}
spec: {model: {name: llama}, engine: {}, kedaConfig: {customPromQuery: "rate(requests[1m])"}}
""",
)
