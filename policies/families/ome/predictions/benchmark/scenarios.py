"""Traffic scenarios of a BenchmarkJob: which ones OME's webhook accepts, and which ones genai-bench can read.

Only the outer alternatives of upstream's expressions are anchored, so `junkD(1,2)` passes them. For embeddings they demand two numbers.
This refuses `E(128)`, which is genai-bench's own form, and upstream's own defaults.

Source: OME v0.1.5, pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression

EMBEDDINGS: Final = "text-to-embeddings"
IMAGE_TASKS: Final = ("image-to-text", "image-to-embeddings")

_TEXT_ACCEPTED: Final = r"\AN\(\d+,\d+\)/\(\d+,\d+\)|U\(\d+,\d+\)(?:/\(\d+,\d+\))?|D\(\d+,\d+\)\Z"
_IMAGE_ACCEPTED: Final = r"\AI\(\d+,\d+(?:,\d+)?\)\Z"
#: The patterns that the webhook searches for in a scenario.
_ACCEPTED: Final = {
    "text-to-text": expression(_TEXT_ACCEPTED, re.ASCII),
    EMBEDDINGS: expression(r"\AE\(\d+,\d+\)\Z", re.ASCII),
    "image-to-text": expression(_IMAGE_ACCEPTED, re.ASCII),
    "image-to-embeddings": expression(_IMAGE_ACCEPTED, re.ASCII),
}
_TEXT_READ: Final = expression(r"N\(\d+,\d+\)/\(\d+,\d+\)|U\(\d+,\d+\)(?:/\(\d+,\d+\))?|D\(\d+,\d+\)", re.ASCII)
_IMAGE_READ: Final = expression(r"I\(\d+,\d+(?:,\d+)?\)", re.ASCII)
#: The patterns of whole scenarios that genai-bench can read.
_READ: Final = {
    "text-to-text": _TEXT_READ,
    EMBEDDINGS: expression(r"E\(\d+(?:,\d+)?\)", re.ASCII),
    "image-to-text": _IMAGE_READ,
    "image-to-embeddings": _IMAGE_READ,
}
#: The forms of a task's scenarios, as people write them.
FORMS: Final = {
    "text-to-text": "N(mean,deviation)/(mean,deviation), U(most,most), U(least,most)/(least,most) or D(input,output)",
    EMBEDDINGS: "E(tokens) or E(tokens,tokens)",
    "image-to-text": "I(width,height) or I(width,height,count)",
    "image-to-embeddings": "I(width,height) or I(width,height,count)",
}


def is_scenario(task: str, scenario: str) -> bool:
    """Whether a scenario has a form of its task; for an unknown task every scenario does."""
    form = _READ.get(task)
    return form is None or form.fullmatch(scenario) is not None


def is_accepted(task: str, scenario: str) -> bool:
    """Whether OME's webhook accepts a scenario. For an unknown task it accepts all, since the schema has refused the task already."""
    form = _ACCEPTED.get(task)
    return form is None or form.search(scenario) is not None
