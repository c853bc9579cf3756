"""A benchmark's results go to a scheme that OME can't write to.

The webhook takes every URI that it can read. The controller then fails with "unsupported storage type", in its log alone, and makes no
job. Results can go to oci, pvc, s3, az, gs and github.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.resolve.benchmark.output import WRITABLE, output_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    uri = output_of({"spec": spec_of(request.object)})
    if uri.scheme and not uri.mistake and uri.scheme not in WRITABLE:
        message = f"OME can't write results to {uri.scheme}://, and makes no job"
        expected = ", ".join(f"{scheme}://" for scheme in WRITABLE)
        yield RULE.finding(("spec", "outputLocation", "storageUri"), message, found=f"{uri.scheme}://", expected=expected)


RULE = Rule(
    id="OME-105",
    name="benchmark-output-unwritable",
    severity=Severity.ERROR,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go",
    is_about_failure=True,
    check=_check,
    good="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
""",
    bad="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "local:///tmp/results"}
""",
)
