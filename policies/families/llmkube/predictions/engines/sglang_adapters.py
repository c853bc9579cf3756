"""The LoRA adapters that SGLang starts with.

Since v0.9.6 the typed adapters and the older list become one list of ``name=path``. A typed adapter wins over one of the same name in the
older list, and entries that can't be read are silently dropped. Before, only the older list counted, and it was passed as one word, with a
flag that SGLang doesn't have.
Source: LLMKube v0.9.19, internal/controller/runtime_sglang_args.go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.options import Option, number, words
from weighbridge.policies.families.llmkube.predictions.engines.plan import AS_WRITTEN, ContainerPlan
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject

_RANK: Final = (Option("--max-lora-rank", "maxLoraRank", number),)
_TARGETS: Final = (Option("--lora-target-modules", "loraTargetModules", words),)
#: A name has none of these characters: an entry with one is meant as JSON.
_NOT_IN_NAMES: Final = frozenset('{[ "')


def adapters(plan: ContainerPlan, block_name: str) -> None:
    """Add the adapters of SGLang's block of settings, and their limits."""
    setup, block = plan.setup, part(plan.setup.spec, block_name)
    if not setup.operator.since(0, 9, 6):
        _joined(plan, "--lora-modules", block_name, "loraModules")
        plan.options(block, f"{block_name}.", _RANK)
        _joined(plan, "--lora-target-modules", block_name, "loraTargetModules")
        return
    pairs = tuple(f"{name}={path}" for name, path in adapter_paths(block))
    if pairs:
        field = "loraAdapters" if items(block, "loraAdapters") else "loraModules"
        merged = "together with loraModules" if field == "loraAdapters" and texts(block, "loraModules") else AS_WRITTEN
        plan.flag("--lora-paths", *pairs, source=setup.of_service(f"{block_name}.{field}"), reason=merged)
    plan.options(block, f"{block_name}.", (*_RANK, *_TARGETS))


def adapter_paths(block: JSONObject) -> tuple[tuple[str, str], ...]:
    """Names and paths of the adapters, typed ones first."""
    typed = [(text(entry, "name"), text(entry, "path")) for entry in items(block, "loraAdapters") if text(entry, "name")]
    taken = {name for name, _ in typed}
    return (*typed, *((name, path) for name, path in _older(block) if name not in taken))


def _older(block: JSONObject) -> Iterator[tuple[str, str]]:
    for entry in texts(block, "loraModules"):
        name, equals, path = entry.partition("=")
        if not (name and equals and not _NOT_IN_NAMES & set(name)):
            name, path = _from_json(entry)
        if name:
            yield name, path


def _from_json(entry: str) -> tuple[str, str]:
    """The name and path of an entry in JSON; empty if it is no JSON, or if one of them is no text."""
    try:
        read = json.loads(entry)
    except (ValueError, RecursionError):
        return "", ""
    folded = {key.lower(): value for key, value in read.items()} if isinstance(read, dict) else {}
    name, path = folded.get("name", ""), folded.get("path", "")
    readable = isinstance(name, str) and (path is None or isinstance(path, str))
    return (str(name), str(path or "")) if readable else ("", "")


def _joined(plan: ContainerPlan, name: str, block_name: str, field: str) -> None:
    entries = texts(part(plan.setup.spec, block_name), field)
    if entries:
        plan.flag(name, ",".join(entries), source=plan.setup.of_service(f"{block_name}.{field}"))
