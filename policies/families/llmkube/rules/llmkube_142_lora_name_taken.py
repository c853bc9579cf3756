"""Two adapters have one name in the same service.

Requests choose an adapter by `name`, and the server refuses to load a second of that name; adapters that the service
loads at its start (`sglangConfig.loraAdapters`) count as well. While one replaces the other both may be there, so this
warns.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.adapters import target
from weighbridge.policies.families.llmkube.subject.references import GROUP, SERVICES
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of


@objects.warning(
    kinds=("LoRAAdapter",),
    reads=("InferenceService", "LoRAAdapter"),
    good="accepts-an-adapter",
    bad="warns-of-an-adapter-that-is-loaded-at-the-start",
)
def check(given: Given) -> Said:
    adapter = given.object
    name = text(spec_of(adapter), "name")
    if not name:
        return
    namespace = given.request.namespace or namespace_of(adapter)
    service = target(adapter, namespace)
    own = (namespace, name_of(adapter))
    holder = next(
        (
            f"LoRAAdapter {namespace_of(other)}/{name_of(other)}"
            for other in _adapters_of(service, given.facts)
            if (namespace_of(other), name_of(other)) != own and text(spec_of(other), "name") == name
        ),
        "",
    )
    started = items(spec_of(SERVICES.get(given.facts, *service)), "sglangConfig", "loraAdapters")
    if not holder and any(text(other, "name") == name for other in started):
        holder = "sglangConfig.loraAdapters of the service"
    if holder:
        yield Violation(("spec", "name"), f'"{name}" is already the name of {holder}', found=name, hint="give it another name")
    elif not given.facts.objects.knows_all(GROUP, "LoRAAdapter"):
        yield NotChecked("not all LoRAAdapters of the cluster are known")


def _adapters_of(service: tuple[str, str], facts: Facts) -> Iterator[JSONObject]:
    return (other for other in facts.objects.list(GROUP, "LoRAAdapter") if target(other, namespace_of(other)) == service)
