"""A query for KEDA has no place for the component's name.

OME fills the name in with Go's printf. Without `%s` Go adds the text `%!(EXTRA string=...)` to the query, which Prometheus can't read.
Write `%s` where the component's name belongs.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/keda.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, part, services, text


@services.warning(good="accepts-a-query-with-the-component", bad="warns-of-a-query-without-the-component")
def check(service: Service) -> Said:
    query = text(part(service.written, "kedaConfig"), "customPromQuery")
    if query and "%s" not in query:
        yield Violation(
            ("spec", "kedaConfig", "customPromQuery"),
            "OME fills in the component's name with printf, and without %s spoils the query",
            expected='a query with %s, as in rate(requests{service="%s"}[1m])',
        )
