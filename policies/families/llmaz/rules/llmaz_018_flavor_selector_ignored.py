"""A flavor's nodeSelector has no effect with this cluster's scheduler.

llmaz never writes the nodeSelector into pods. Only its scheduler plugin and its fork of Karpenter read it, but llmaz's ConfigMap names the
default scheduler. Install the plugin, and name its scheduler in the ConfigMap.

Source: llmaz 3c13ff3, chart/values.yaml.
"""

from weighbridge.policies.families.llmaz.operator import operator_of
from weighbridge.policies.families.llmaz.rulebook import Flavors, Given, Said, Violation, flavors


@flavors.note(reads=("ConfigMap/llmaz-global-config",), good="accepts-flavors-without-selectors", bad="notes-a-selector-that-is-not-read")
def check(flavors: Flavors, given: Given) -> Said:
    operator = operator_of(given.facts, given.config)
    if operator.scheduler not in ("", "default-scheduler") or not (operator.is_known or operator.scheduler_origin == "configuration"):
        return
    for flavor in flavors:
        if flavor.node_selector:
            hint = "install the scheduler plugin and name it in llmaz-global-config"
            yield Violation(
                (*flavor.path, "nodeSelector"), "the default scheduler doesn't read flavors, so the pods may go to any node", hint
            )
