"""A path template has braces that enclose no expression.

The operator evaluates a pair of braces with an expression between them. It copies any other brace into the path as text:
`/{.metadata.name` becomes `/metadata-name`. Write both braces.

Source: aim-engine v0.2.1, internal/aimservice/httproute.go.
"""

from weighbridge.policies.families.aim.predictions.paths.path_template import stray_braces
from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, part, specs, text


@specs.warning(
    kinds=("AIMService", "AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
    good="accepts-both-braces",
    bad="warns-of-a-brace-that-is-never-closed",
)
def check(spec: JSONObject) -> Said:
    template = text(part(spec, "routing"), "pathTemplate")
    if stray_braces(template):
        yield Violation(
            ("spec", "routing", "pathTemplate"),
            f'"{template}" has a brace without its counterpart, which the operator reads as text',
            found=template,
            hint="write {.metadata.name}, with both braces",
        )
