"""The container would get a variable twice, and the InferenceService is refused.

aim-engine sets AIM_METRIC, AIM_PRECISION, AIM_PROFILE_ID and AIM_MODEL_ID from fields of the template. Where the runtime config's
environment has one of them too (or, for AIM_MODEL_ID, the template's), it writes both, and the service stays Starting. The variable in
`spec.env` of the service replaces the first of the two alone, so it is no cure.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.resolve.workload import clashes
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    if serving.work is None:
        return
    for name in clashes(serving.work):
        yield RULE.finding(
            ("spec", "env"),
            f"{name} would be there twice: from the template, and from the environment of the runtime config or the template",
            found=name,
            hint=f"take {name} out of that environment",
        )


RULE = Rule(
    id="AIM-011",
    name="environment-clash",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go",
    mirrors="DependenciesReachable, duplicate entries",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY
    + """
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMClusterRuntimeConfig
metadata: {name: clash}
spec: {env: [{name: AIM_METRIC, value: throughput}]}""",
    check=_check,
    good="model: {name: llama}\nenv: [{name: AIM_METRIC, value: latency}]",
    bad="model: {name: llama}\nruntimeConfigName: clash",
)
