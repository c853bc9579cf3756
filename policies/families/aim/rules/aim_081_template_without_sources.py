"""The template of a service is ready, but names no model sources.

aim-engine serves only from caches, and creates none if neither the template nor its discovery names a source. So it creates no
InferenceService, and the service stays Starting without a message; with kaiwo it is Degraded. This happens if the output of the
template's discovery job was empty or couldn't be read. Name the sources in the template.

Source: aim-engine v0.2.1, internal/aimservice/caching.go; kaiwo dbca1b55, internal/controller/aim/shared/service_status.go
(HandleMissingModelSource).
"""

from weighbridge.policies.families.aim.predictions.template import named_in
from weighbridge.policies.families.aim.predictions.workload import sources_of
from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Violation, Work, name_of, part, text, workloads


@workloads.warning(about=FAILURE, good="accepts-a-template-with-sources", bad="warns-of-a-template-without-sources")
def check(work: Work) -> Said:
    # Before discovery ran, its sources aren't known.
    if not text(part(work.template, "status"), "status") or sources_of(work):
        return
    ends = "stays Starting forever" if work.dialect.is_aim_engine else "is Degraded"
    yield Violation(
        ("spec", *work.dialect.template[: 2 if named_in(work.spec, work.dialect) else 1]),
        f"{text(work.template, 'kind')} {name_of(work.template)} is ready without a model source, so the service {ends}",
        hint="name the sources in spec.modelSources of a template, or look why its discovery found none",
    )
