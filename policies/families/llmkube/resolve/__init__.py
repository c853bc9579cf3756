"""What the LLMKube operator will make of its objects.

The predictions are imported when they are first asked for: whoever only wants defaults or rules doesn't wait for them.
"""

from __future__ import annotations

from policies.config import Configuration
from policies.facts import Facts
from policies.families.effective import Effective
from policies.request import Request

__all__ = ["gpu_quota", "inference_service", "lora_adapter", "model", "model_pool", "model_router"]


def inference_service(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """What the operator makes of an InferenceService; `None` for what has no spec, and for subresources."""
    from policies.families.llmkube.serving import serving_of

    # The rules that are asked about the same request find it there.
    return serving_of(request, facts, config).effective


def model(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """What the operator makes of a Model; `None` for what has no spec, and for subresources."""
    from policies.families.llmkube.resolve.model_reconcile import resolve

    return resolve(request, facts, config)


def model_router(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """What the operator makes of a ModelRouter."""
    from policies.families.llmkube.resolve.router import router

    return router(request, facts, config)


def model_pool(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """What the operator makes of a ModelPool."""
    from policies.families.llmkube.resolve.pool import pool

    return pool(request, facts, config)


def lora_adapter(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """What the operator makes of a LoRAAdapter."""
    from policies.families.llmkube.resolve.lora import lora

    return lora(request, facts, config)


def gpu_quota(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """What the operator makes of a GPUQuota."""
    from policies.families.llmkube.resolve.quota import quota

    return quota(request, facts, config)
