"""The URI of a benchmark's results names another namespace, which OME ignores.

A pod mounts claims of its own namespace only, and the controller looks for the claim there. Leave the namespace out, or run the job in
it.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.benchmark.output import output_of
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import service_of
from weighbridge.policies.ground.objects import namespace_of


@objects.warning(
    kinds=("BenchmarkJob",),
    good="accepts-results-on-a-claim",
    bad="warns-of-a-claim-for-results-in-another-namespace",
)
def check(given: Given) -> Said:
    job = service_of(given.request)
    uri = output_of(job) if job is not None else None
    if job is None or uri is None or uri.scheme != "pvc" or uri.mistake:
        return
    named, own = uri.parts.get("namespace", ""), namespace_of(job)
    if named and named != own:
        message = f'the claim is looked for in namespace "{own}", not in "{named}"'
        yield Violation(("spec", "outputLocation", "storageUri"), message, hint="leave the namespace out", found=named, expected=own)
