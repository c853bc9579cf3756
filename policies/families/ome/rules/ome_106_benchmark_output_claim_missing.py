"""The claim for a benchmark's results isn't there.

It is looked for in the job's namespace, whatever namespace the URI names. Without it the controller makes no job, and says so in its log
alone.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.benchmark.output import output_of
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import service_of
from weighbridge.policies.families.references import CLAIMS
from weighbridge.policies.ground.objects import namespace_of


@objects.warning(
    kinds=("BenchmarkJob",),
    about=REFERENCE | FAILURE,
    reads=("PersistentVolumeClaim",),
    good="accepts-results-on-a-claim",
    bad="warns-of-a-claim-for-results-that-is-not-there",
)
def check(given: Given) -> Said:
    job = service_of(given.request)
    uri = output_of(job) if job is not None else None
    if job is None or uri is None or uri.scheme != "pvc" or uri.mistake:
        return
    namespace, claim = namespace_of(job), uri.parts["claim"]
    is_missing = CLAIMS.is_missing(given.facts, namespace, claim)
    if is_missing is None:
        yield NotChecked(CLAIMS.unknown)
    elif is_missing:
        message = f'namespace "{namespace}" has no PersistentVolumeClaim "{claim}", and without it OME makes no job'
        nearest = CLAIMS.nearest(given.facts, namespace, claim)
        yield Violation(("spec", "outputLocation", "storageUri"), message, hint="create the claim first", found=claim, nearest=nearest)
