"""Two adapters have one name in the same service.

Requests choose an adapter by `name`, and the server refuses to load a second of that name; adapters that the service
loads at its start (`sglangConfig.loraAdapters`) count as well. While one replaces the other both may be there, so this
warns.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.adapters import target
from policies.families.llmkube.subject.references import GROUP, SERVICES
from policies.fields import items, text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import JSONObject, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    adapter = request.object
    name = text(spec_of(adapter), "name")
    if not isinstance(adapter, dict) or not name:
        return
    namespace = request.namespace or namespace_of(adapter)
    service = target(adapter, namespace)
    own = (namespace, name_of(adapter))
    holder = next(
        (
            f"LoRAAdapter {namespace_of(other)}/{name_of(other)}"
            for other in _adapters_of(service, facts)
            if (namespace_of(other), name_of(other)) != own and text(spec_of(other), "name") == name
        ),
        "",
    )
    started = items(spec_of(SERVICES.get(facts, *service)), "sglangConfig", "loraAdapters")
    if not holder and any(text(other, "name") == name for other in started):
        holder = "sglangConfig.loraAdapters of the service"
    if holder:
        yield RULE.finding(("spec", "name"), f'"{name}" is already the name of {holder}', found=name, hint="give it another name")
    elif not facts.objects.knows_all(GROUP, "LoRAAdapter"):
        yield RULE.unchecked("not all LoRAAdapters of the cluster are known")


def _adapters_of(service: tuple[str, str], facts: Facts) -> Iterator[JSONObject]:
    return (other for other in facts.objects.list(GROUP, "LoRAAdapter") if target(other, namespace_of(other)) == service)


RULE = Rule(
    id="LLMKUBE-142",
    name="lora-name-taken",
    severity=Severity.WARNING,
    kinds=("LoRAAdapter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/loraadapter_controller.go",
    reads=("InferenceService", "LoRAAdapter"),
    check=_check,
    good="inferenceServiceRef: {name: chat}\nname: medical\npath: /adapters/medical",
    bad="inferenceServiceRef: {name: chat}\nname: legal\npath: /adapters/legal-2",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: LoRAAdapter
metadata: {name: older, namespace: default}
spec: {inferenceServiceRef: {name: chat}, name: legal, path: /adapters/legal}
""",
)
