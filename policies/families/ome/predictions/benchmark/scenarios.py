"""Traffic scenarios of a BenchmarkJob: which OME's webhook takes, and which genai-bench can read.

Upstream's expressions are anchored in their outer alternatives only, so that `junkD(1,2)` passes them. For embeddings they want two
numbers, which refuses `E(128)`, the form that genai-bench itself has, and upstream's own defaults.

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
#: What the webhook looks for in a scenario.
_ACCEPTED: Final = {
    "text-to-text": expression(_TEXT_ACCEPTED, re.ASCII),
    EMBEDDINGS: expression(r"\AE\(\d+,\d+\)\Z", re.ASCII),
    "image-to-text": expression(_IMAGE_ACCEPTED, re.ASCII),
    "image-to-embeddings": expression(_IMAGE_ACCEPTED, re.ASCII),
}
_TEXT_READ: Final = expression(r"N\(\d+,\d+\)/\(\d+,\d+\)|U\(\d+,\d+\)(?:/\(\d+,\d+\))?|D\(\d+,\d+\)", re.ASCII)
_IMAGE_READ: Final = expression(r"I\(\d+,\d+(?:,\d+)?\)", re.ASCII)
#: What a scenario is as a whole.
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
    """Whether a scenario is one of its task; of an unknown task every one is."""
    form = _READ.get(task)
    return form is None or form.fullmatch(scenario) is not None


def is_accepted(task: str, scenario: str) -> bool:
    """Whether OME's webhook takes a scenario; of an unknown task it takes all, since its schema has refused that one."""
    form = _ACCEPTED.get(task)
    return form is None or form.search(scenario) is not None
