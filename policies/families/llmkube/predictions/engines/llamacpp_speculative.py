"""llama.cpp's flags for speculative decoding: its kind, the draft model, and the number of drafted tokens.

Some kinds have a second name in the API. Only the kinds that use a separate draft model, and multi-token prediction, get the path of one.
Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp_args.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.options import Option, positive, shortest
from weighbridge.policies.families.llmkube.predictions.engines.plan import AS_WRITTEN, ContainerPlan
from weighbridge.policies.ground.fields import part, text

NONE: Final = "none"
_ALIASES: Final = {"mtp": "draft-mtp", "draft": "draft-simple", "disabled": NONE, "": NONE}
#: The kinds that a draft model may be given for.
WITH_DRAFT: Final = frozenset({"draft-simple", "draft-eagle3", "draft-dflash", "draft-dspark", "draft-mtp"})
_BLOCK: Final = "speculativeDecoding"


def speculative_kind(written: str, operator: KnownOperator) -> str:
    """llama.cpp's own name of a kind; ``none`` without speculative decoding."""
    if written == "draft" and not operator.since(0, 9, 15):
        return written
    return _ALIASES.get(written, written)


def speculative(plan: ContainerPlan) -> None:
    """Add the service's settings for speculative decoding."""
    setup, block = plan.setup, part(plan.setup.spec, _BLOCK)
    written = text(block, "type")
    kind = speculative_kind(written, setup.operator)
    if kind == NONE:
        return
    reason = AS_WRITTEN if kind == written else f"llama.cpp's name for {written}"
    plan.flag("--spec-type", kind, source=setup.of_service(f"{_BLOCK}.type"), reason=reason)
    draft = setup.weights.draft_path
    if draft and kind in WITH_DRAFT and setup.operator.since(0, 9, 18):
        field = "draftModelRef" if text(block, "draftModelRef") else "draftModel"
        plan.flag("-md", draft, source=setup.of_service(f"{_BLOCK}.{field}"), reason="where the pod finds the draft model")
    # Until v0.9.13 the operator used a flag that llama.cpp never had, so llama.cpp didn't start.
    ahead = "--spec-draft-n-max" if setup.operator.since(0, 9, 14) else "--draft-n-max"
    plan.options(block, f"{_BLOCK}.", [Option(ahead, "nDraftMax", positive)])
    if setup.operator.since(0, 9, 18):
        plan.options(block, f"{_BLOCK}.", [Option("--spec-draft-p-min", "pMin", shortest)])
