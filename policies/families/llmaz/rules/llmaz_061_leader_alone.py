"""A Service has leaders of their own and one pod in each group.

The leader is that pod: the worker's template is never used.

Source: LeaderWorkerSet v0.6.2 pkg/controllers.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, whole


@objects.warning(
    kinds=("Service",),
    good="accepts-leaders-and-workers",
    bad="warns-of-a-group-of-a-leader-alone",
)
def check(given: Given) -> Said:
    template = part(given.spec, "workloadTemplate")
    if isinstance(template.get("leaderTemplate"), dict) and whole(template, "size", 1) <= 1:
        message = "a group has one pod, which is its leader, so no worker ever runs"
        yield Violation(("spec", "workloadTemplate", "size"), message, found=str(whole(template, "size", 1)), expected="2 or more")
