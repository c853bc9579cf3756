"""A flavor's nodeSelector has no effect with the scheduler of this cluster.

llmaz never writes it into pods. Only its scheduler plugin or its fork of Karpenter reads it, and the ConfigMap names the default
scheduler.

Source: llmaz 3c13ff3 chart/values.yaml.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.operator import operator_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of


@objects.note(
    kinds=("OpenModel",),
    reads=("ConfigMap/llmaz-global-config",),
    good="accepts-flavors-without-selectors",
    bad="notes-a-selector-that-nobody-reads",
)
def check(given: Given) -> Said:
    operator = operator_of(given.facts, given.config)
    if operator.scheduler not in ("", "default-scheduler") or not (operator.is_known or operator.scheduler_origin == "configuration"):
        return
    for flavor in flavors_of(given.object):
        if flavor.node_selector:
            hint = "install the scheduler plugin and name it in llmaz-global-config"
            yield Violation((*flavor.path, "nodeSelector"), "the default scheduler doesn't read flavors, so any node will do", hint=hint)
