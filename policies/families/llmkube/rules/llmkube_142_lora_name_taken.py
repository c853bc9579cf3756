"""Two adapters of a service have the same name.

Requests choose an adapter by `name`, and the server refuses to load a second one with that name. Adapters that the
service loads at its start (`sglangConfig.loraAdapters`) count as well. Both may exist while one replaces the other, so
the rule only warns.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go.
"""

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, adapters
from weighbridge.policies.families.llmkube.subject.adapters import target
from weighbridge.policies.families.llmkube.subject.references import GROUP, SERVICES
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of


@adapters.warning(
    topic="LoRAAdapters",
    reads=("InferenceService", "LoRAAdapter"),
    good="accepts-an-adapter",
    bad="warns-of-an-adapter-that-is-loaded-at-the-start",
)
def check(adapter: Given) -> Said:
    name, objects = text(adapter.spec, "name"), adapter.facts.objects
    if not name:
        return
    service = target(adapter.object, adapter.namespace)
    holders = [
        f"LoRAAdapter {namespace_of(other)}/{name_of(other)}"
        for other in objects.where(GROUP, "LoRAAdapter", _filed, (name, service))
        if (namespace_of(other), name_of(other)) != (adapter.namespace, adapter.name)
    ]
    started = items(spec_of(SERVICES.get(adapter.facts, *service)), "sglangConfig", "loraAdapters")
    if any(text(other, "name") == name for other in started):
        holders.append("sglangConfig.loraAdapters of the service")
    if holders:
        yield Violation(("spec", "name"), f'"{name}" is already the name of {holders[0]}', found=name, hint="give it another name")
    elif not objects.knows_all(GROUP, "LoRAAdapter"):
        yield NotChecked("not all LoRAAdapters of the cluster are known")


def _filed(adapter: JSONObject) -> tuple[str, tuple[str, str]]:
    return text(spec_of(adapter), "name"), target(adapter, namespace_of(adapter))
