"""A probe of a service names no port.

The CRD of InferenceService doesn't require `port` in `httpGet` and `tcpSocket`, unlike a pod, so the API server stores such a probe. It
then refuses the Deployment that OME creates, and the service gets no pods. Write the port.

Source: OME v0.1.5, Makefile manifests.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, part, services
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.ome.subject.stored import PROBES


@services.error(about=FAILURE, good="accepts-a-probe-with-a-port", bad="refuses-a-probe-without-a-port")
def check(service: Service) -> Said:
    for pod, path in pod_parts(service.obj):
        for container in containers_of(pod, path):
            for probe in PROBES:
                for kind in ("httpGet", "tcpSocket"):
                    action = part(container.obj, probe).get(kind)
                    if isinstance(action, dict) and action.get("port") in (None, "", 0):
                        yield Violation(
                            (*container.path, probe, kind, "port"),
                            "the API server refuses the Deployment that OME creates, because the probe has no port",
                            expected="the port that the container serves on, such as 8080",
                        )
