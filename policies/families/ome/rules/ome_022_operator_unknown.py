"""An operator for versions is none that OME knows.

It compares by `Equal`, `GreaterThan` and `GreaterThanOrEqual`, and takes any other word for `Equal` without telling.

Source: OME v0.1.5 pkg/modelver/util.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.model_versions import EQUAL, OPERATORS
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for index, item in enumerate(items(spec_of(request.object), "supportedModelFormats")):
        for key in ("modelFormat", "modelFramework"):
            operator = text(item.get(key), "operator", EQUAL)
            if operator not in OPERATORS:
                yield RULE.finding(
                    ("spec", "supportedModelFormats", index, key, "operator"),
                    f"OME takes {operator!r} for {EQUAL}",
                    found=operator,
                    expected=", ".join(OPERATORS),
                )


RULE = Rule(
    id="OME-022",
    name="operator-unknown",
    severity=Severity.WARNING,
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/modelver/util.go",
    check=_check,
    good="""\
supportedModelFormats:
- {modelFormat: {name: safetensors, version: 1.0.0, operator: GreaterThan}, modelFramework: {name: transformers}}
""",
    bad="""\
supportedModelFormats:
- {modelFormat: {name: safetensors, version: 1.0.0, operator: AtLeast}, modelFramework: {name: transformers}}
""",
)
