"""The operator can't read a pattern for labels, so it ignores the pattern.

Patterns have the syntax of Go's `filepath.Match`: `*` and `?` don't match a slash, and `[a-z]` is a class. A pattern that can't be read
matches no label, and the operator doesn't report it. Close the bracket, or escape it with a backslash.

Source: aim-engine v0.2.1, internal/controller/utils/apply.go; kaiwo dbca1b55, internal/controller/aim/shared/runtime_config.go.
"""

from weighbridge.policies.families.aim.predictions.labels import pattern_of
from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, part, specs


@specs.error(
    kinds=("AIMRuntimeConfig", "AIMClusterRuntimeConfig", "AIMService"),
    good="accepts-label-patterns",
    bad="refuses-a-label-pattern-with-an-open-bracket",
)
def check(spec: JSONObject) -> Said:
    found = part(spec, "labelPropagation").get("match")
    for index, pattern in enumerate(found if isinstance(found, list) else ()):
        if isinstance(pattern, str) and pattern_of(pattern) is None:
            yield Violation(
                ("spec", "labelPropagation", "match", index),
                f'"{pattern}" isn\'t a pattern, so it matches no label',
                found=pattern,
                hint="close the bracket, or escape it with a backslash",
            )
