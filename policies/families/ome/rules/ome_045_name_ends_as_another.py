"""Two services of a namespace share the last 20 characters of their names.

OME describes the model of a service in a ConfigMap that is called `modelconfig-` and the last 20 characters of the service's name. Two
services that end alike share it and overwrite each other's. Let the names differ at their ends.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import GROUP, INFERENCE_SERVICES
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.services import service_of
from policies.findings import Finding, Severity, Unchecked
from policies.objects import JSONObject, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:

    service = service_of(request)
    if service is None or len(name_of(service)) < _LENGTH:
        return
    name = name_of(service)
    for other in facts.objects.where(GROUP, INFERENCE_SERVICES.kind, _end, (namespace_of(service), name[-_LENGTH:])):
        if name_of(other) != name:
            yield RULE.finding(
                ("metadata", "name"),
                f"InferenceService {name_of(other)} ends alike, and both get ConfigMap modelconfig-{name[-_LENGTH:]}",
                found=name,
                hint=f"let the names differ in their last {_LENGTH} characters",
            )
            return
    if not facts.objects.knows_all(GROUP, INFERENCE_SERVICES.kind):
        yield RULE.unchecked(INFERENCE_SERVICES.unknown)


def _end(service: JSONObject) -> tuple[str, str]:
    return namespace_of(service), name_of(service)[-_LENGTH:]


#: So many characters of a service's name are in the name of its ConfigMap.
_LENGTH: Final = 20


RULE = Rule(
    id="OME-045",
    name="name-ends-as-another",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig",
    reads=("InferenceService",),
    beside=f"""\
{SERVED}---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {{name: red-llama-3-1-8b-instruct, namespace: default}}
spec: {{model: {{name: llama}}}}
""",
    check=_check,
    good="""\
metadata: {name: blue-llama-3-1-8b-instruct-a}
spec: {model: {name: llama}, engine: {}}
""",
    bad="""\
metadata: {name: blue-llama-3-1-8b-instruct}
spec: {model: {name: llama}, engine: {}}
""",
)
