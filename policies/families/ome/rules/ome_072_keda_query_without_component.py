"""A query for KEDA has no place for the component's name.

OME fills the name in with Go's printf. Without `%s` the text `%!(EXTRA string=...)` is put behind the query, which Prometheus can't read.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/keda.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, text


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-a-query-with-the-component",
    bad="warns-of-a-query-without-the-component",
)
def check(given: Given) -> Said:
    query = text(part(given.spec, "kedaConfig"), "customPromQuery")
    if query and "%s" not in query:
        yield Violation(
            ("spec", "kedaConfig", "customPromQuery"),
            "OME fills in the component's name with printf, and without %s spoils the query",
            expected='a query with %s, as in rate(requests{service="%s"}[1m])',
        )
