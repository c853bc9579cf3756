"""`AIM_CACHE_PATH` is set, and the weights stay where they are mounted.

The operator sets the variable to the folder into which it mounts the caches. Another value replaces its own, while the mounts don't move:
the engine looks into an empty folder and downloads the model again into the container.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    mounted = "/workspace/model-cache" if request.gvk.group == OLD else "/workspace/cache"
    for index, entry in enumerate(items(spec_of(request.object), "env")):
        if text(entry, "name") == "AIM_CACHE_PATH" and text(entry, "value") != mounted:
            yield RULE.finding(
                ("spec", "env", index, "value"),
                f"the weights are mounted below {mounted}, wherever AIM_CACHE_PATH points",
                found=text(entry, "value"),
                expected=mounted,
                hint="remove the variable",
            )


RULE = Rule(
    id="AIM-024",
    name="cache-path-moved",
    severity=Severity.WARNING,
    kinds=(
        "AIMService",
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go",
    check=_check,
    good="""\
model: {name: llama}
env: [{name: VLLM_LOGGING_LEVEL, value: INFO}]""",
    bad="""\
model: {name: llama}
env: [{name: AIM_CACHE_PATH, value: /models}]""",
)
