"""A Service sets a restart policy or subgroups for its groups, which llmaz doesn't pass on.

The controller copies only the templates and the size of `spec.workloadTemplate`. The LeaderWorkerSet restarts all pods of a group when
one restarts, and has no subgroups. Remove the fields.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from typing import Final

from weighbridge.policies.families.llmaz.rulebook import JSONObject, Said, Violation, templates, text

_DEFAULT: Final = "RecreateGroupOnPodRestart"
_OTHERS: Final = ("Default", "None")


@templates.warning(good="accepts-a-group-of-one-worker", bad="warns-of-a-restart-policy-that-llmaz-loses")
def check(workload: JSONObject) -> Said:
    restart = text(workload, "restartPolicy")
    if restart in _OTHERS:
        message = f"llmaz doesn't pass it on; the groups get {_DEFAULT}"
        yield Violation(("spec", "workloadTemplate", "restartPolicy"), message, found=restart, expected=_DEFAULT)
    if workload.get("subGroupPolicy") is not None:
        message = "llmaz doesn't pass it on; the groups have no subgroups"
        yield Violation(("spec", "workloadTemplate", "subGroupPolicy"), message, hint="leave it out")
