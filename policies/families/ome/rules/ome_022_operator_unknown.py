"""An operator for versions is none that OME knows.

It compares by `Equal`, `GreaterThan` and `GreaterThanOrEqual`, and takes any other word for `Equal` without telling.

Source: OME v0.1.5 pkg/modelver/util.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.model_versions import EQUAL, OPERATORS
from weighbridge.policies.ground.fields import items, text


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    good="accepts-an-operator-for-versions",
    bad="warns-of-an-unknown-operator-for-versions",
)
def check(given: Given) -> Said:
    for index, item in enumerate(items(given.spec, "supportedModelFormats")):
        for key in ("modelFormat", "modelFramework"):
            operator = text(item.get(key), "operator", EQUAL)
            if operator not in OPERATORS:
                yield Violation(
                    ("spec", "supportedModelFormats", index, key, "operator"),
                    f"OME takes {operator!r} for {EQUAL}",
                    found=operator,
                    expected=", ".join(OPERATORS),
                )
