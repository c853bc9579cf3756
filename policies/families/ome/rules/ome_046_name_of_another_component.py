"""A service has the name of another one's component.

OME names the Services of a service's components with `-engine`, `-decoder` and `-router` behind its name, and the Service in front of them
with the name alone. A service `chat-engine` beside a service `chat` shares one Service with the engine of that, and answers with its pods.

Source: OME v0.1.5 pkg/constants/constants.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import INFERENCE_SERVICES
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.components import COMPONENTS
from policies.families.ome.subject.services import has_component, service_of
from policies.findings import Finding, Severity
from policies.objects import name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    service = service_of(request)
    if service is None:
        return
    name, namespace = name_of(service), namespace_of(service)
    for component in COMPONENTS:
        stem = name.removesuffix(f"-{component}")
        if stem != name:
            other, shared = INFERENCE_SERVICES.get(facts, namespace, stem), name
            has_it = has_component(other, component) if other is not None else False
        else:
            other, shared = INFERENCE_SERVICES.get(facts, namespace, f"{name}-{component}"), f"{name}-{component}"
            has_it = has_component(service, component)
        if other is not None and has_it:
            yield RULE.finding(
                ("metadata", "name"),
                f"this service and InferenceService {name_of(other)} both get the Service {shared}, and one answers for the other",
                found=name,
                hint="give it another name",
            )


RULE = Rule(
    id="OME-046",
    name="name-of-another-component",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/constants/constants.go",
    reads=("InferenceService",),
    beside=f"""\
{SERVED}---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {{name: chat, namespace: default}}
spec: {{model: {{name: llama}}, engine: {{}}}}
""",
    check=_check,
    good="""\
metadata: {name: chat-two}
spec: {model: {name: llama}, engine: {}}
""",
    bad="""\
metadata: {name: chat-engine}
spec: {model: {name: llama}, engine: {}}
""",
)
