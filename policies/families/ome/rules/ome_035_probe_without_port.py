"""A probe of a service names no port.

The CRD of InferenceService has lost that `port` is required under `httpGet` and `tcpSocket`, so such a probe is stored. OME's controller
then fails on the Deployment, which Kubernetes refuses, and the service gets no pods.

Source: OME v0.1.5 Makefile manifests.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.components import containers_of, pod_parts
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request

_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    for pod, path in pod_parts(request.object):
        for container in containers_of(pod, path):
            for probe in _PROBES:
                for kind in ("httpGet", "tcpSocket"):
                    action = part(container.obj, probe).get(kind)
                    if isinstance(action, dict) and action.get("port") in (None, "", 0):
                        yield RULE.finding(
                            (*container.path, probe, kind, "port"),
                            "a probe without a port is refused by Kubernetes once OME makes the Deployment",
                            expected="the port that the container serves on, such as 8080",
                        )


RULE = Rule(
    id="OME-035",
    name="probe-without-port",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 Makefile manifests",
    is_about_failure=True,
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {runner: {name: ome-container, livenessProbe: {httpGet: {path: /health, port: 8080}}}}
""",
    bad="""\
model: {name: llama}
engine: {runner: {name: ome-container, livenessProbe: {httpGet: {path: /health}}}}
""",
)
