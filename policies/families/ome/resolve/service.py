"""What becomes of an InferenceService: the model, the runtime and the accelerator classes that it gets.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from __future__ import annotations

from policies.config import Configuration
from policies.facts import Facts
from policies.families.effective import Effective
from policies.request import Request


def resolve(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """The prediction of a service; `None` for what has no spec, and for subresources."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    return Effective(status={})
