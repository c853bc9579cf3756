"""A Service has a template for the leader, but only one pod in each group.

That pod is the leader, so no pod ever uses the worker's template. Write a size of 2 or more, or remove the leader's template.

Source: LeaderWorkerSet v0.6.2, pkg/controllers.
"""

from weighbridge.policies.families.llmaz.rulebook import JSONObject, Said, Violation, templates, whole


@templates.warning(good="accepts-leaders-and-workers", bad="warns-of-a-group-of-a-leader-alone")
def check(workload: JSONObject) -> Said:
    size = whole(workload, "size", 1)
    if isinstance(workload.get("leaderTemplate"), dict) and size <= 1:
        message = "a group has one pod, which is its leader, so no worker ever runs"
        yield Violation(("spec", "workloadTemplate", "size"), message, found=str(size), expected="2 or more")
