"""A model is disabled while services use it.

OME's webhook judges every update of a service, also the one by which its controller takes the finalizer off. Once the model is disabled it
refuses all of them for services that leave their runtime open: such a service can be neither changed nor deleted, and stays in Terminating.
Delete the services first, or name a runtime in them.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.kinds import GROUP, INFERENCE_SERVICES
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.services import has_component, has_full_runner, runtime_name, services_of_model
from policies.fields import flag, text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import JSONObject, name_of, namespace_of
from policies.request import Request
from policies.spelling import listed


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    if (
        not isinstance(request.object, dict)
        or not flag(spec_of(request.object), "disabled")
        or flag(spec_of(request.old_object), "disabled")
    ):
        return
    kind, name = text(request.object, "kind"), name_of(request.object)
    held = [service for service in services_of_model(facts, kind, namespace_of(request.object), name) if _selects(service)]
    if held:
        names = listed([f"{namespace_of(service)}/{name_of(service)}" for service in held])
        yield RULE.finding(
            ("spec", "disabled"),
            f"InferenceService {names} can then be neither changed nor deleted, since OME's webhook refuses each update",
            hint="delete the services first, or name a runtime in them",
        )
    elif not facts.objects.knows_all(GROUP, INFERENCE_SERVICES.kind):
        yield RULE.unchecked(INFERENCE_SERVICES.unknown)


def _selects(service: JSONObject) -> bool:
    """Whether OME's webhook selects a runtime for a service."""
    return has_component(service, "engine") and not runtime_name(service) and not has_full_runner(service)


RULE = Rule(
    id="OME-043",
    name="disabled-model-in-use",
    severity=Severity.WARNING,
    kinds=("ClusterBaseModel", "BaseModel"),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    reads=("BaseModel", "InferenceService"),
    beside=f"""\
{SERVED}---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {{name: chat, namespace: default}}
spec: {{model: {{name: llama}}, engine: {{}}}}
""",
    check=_check,
    good='storage: {storageUri: "hf://acme/llama", path: /models/llama}',
    bad="""\
metadata: {name: llama}
spec: {disabled: true, storage: {storageUri: "hf://acme/llama", path: /models/llama}}
""",
)
