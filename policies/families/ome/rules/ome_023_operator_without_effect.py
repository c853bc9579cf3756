"""An operator is given for a version that only equals itself.

A version with a candidate, a build or a development tail is compared by `Equal`, whatever the operator says. So a runtime for `4.45.0.dev0`
and older serves `4.45.0.dev0` alone. Write the version without its tail.

Source: OME v0.1.5 pkg/modelver/util.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.model_versions import EQUAL, OPERATORS, parse
from weighbridge.policies.ground.fields import items, text


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    good="accepts-a-development-version-by-equality",
    bad="warns-of-an-operator-for-a-development-version",
)
def check(given: Given) -> Said:
    for index, item in enumerate(items(given.spec, "supportedModelFormats")):
        for key in ("modelFormat", "modelFramework"):
            operator, version = text(item.get(key), "operator", EQUAL), text(item.get(key), "version")
            found = parse(version) if operator in OPERATORS and operator != EQUAL else None
            if found is not None and found.has_tail:
                plain = ".".join(map(str, found.numbers))
                yield Violation(
                    ("spec", "supportedModelFormats", index, key, "operator"),
                    f"{version} has a tail, so it only equals itself, and {operator} has no effect",
                    found=version,
                    expected=f"v{plain}" if found.has_prefix else plain,
                )
