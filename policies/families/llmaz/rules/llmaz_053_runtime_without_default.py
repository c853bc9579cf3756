"""A runtime has no configuration named `default`.

A Playground that names no configuration uses `default`. Without it every Playground must name one.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.kinds import DEFAULT_CONFIG
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, runtimes, similar
from weighbridge.policies.families.llmaz.subject.runtime import config_names


@runtimes.warning(good="accepts-a-runtime-with-a-default", bad="warns-of-a-runtime-without-configurations")
def check(given: Given) -> Said:
    names = config_names(given.object)
    if DEFAULT_CONFIG not in names:
        message = "the runtime has no configuration default, which Playgrounds take"
        yield Violation(("spec", "recommendedConfigs"), message, nearest=similar(DEFAULT_CONFIG, names), hint="name one of them default")
