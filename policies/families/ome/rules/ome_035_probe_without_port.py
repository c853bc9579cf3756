"""A probe of a service names no port.

The CRD of InferenceService has lost that `port` is required under `httpGet` and `tcpSocket`, so such a probe is stored. OME's controller
then fails on the Deployment, which Kubernetes refuses, and the service gets no pods.

Source: OME v0.1.5 Makefile manifests.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.ground.fields import part

_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")


@objects.error(
    kinds=("InferenceService",),
    about=FAILURE,
    good="accepts-a-probe-with-a-port",
    bad="refuses-a-probe-without-a-port",
)
def check(given: Given) -> Said:
    for pod, path in pod_parts(given.object):
        for container in containers_of(pod, path):
            for probe in _PROBES:
                for kind in ("httpGet", "tcpSocket"):
                    action = part(container.obj, probe).get(kind)
                    if isinstance(action, dict) and action.get("port") in (None, "", 0):
                        yield Violation(
                            (*container.path, probe, kind, "port"),
                            "a probe without a port is refused by Kubernetes once OME makes the Deployment",
                            expected="the port that the container serves on, such as 8080",
                        )
