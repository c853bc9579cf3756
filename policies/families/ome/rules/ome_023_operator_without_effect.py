"""An operator is given for a version that only equals itself.

A version with a candidate, a build or a development tail is compared by `Equal`, whatever the operator says. So a runtime for `4.45.0.dev0`
and older serves `4.45.0.dev0` alone. Write the version without its tail.

Source: OME v0.1.5 pkg/modelver/util.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.model_versions import EQUAL, OPERATORS, parse
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for index, item in enumerate(items(spec_of(request.object), "supportedModelFormats")):
        for key in ("modelFormat", "modelFramework"):
            operator, version = text(item.get(key), "operator", EQUAL), text(item.get(key), "version")
            found = parse(version) if operator in OPERATORS and operator != EQUAL else None
            if found is not None and found.has_tail:
                plain = ".".join(map(str, found.numbers))
                yield RULE.finding(
                    ("spec", "supportedModelFormats", index, key, "operator"),
                    f"{version} has a tail, so it only equals itself, and {operator} has no effect",
                    found=version,
                    expected=f"v{plain}" if found.has_prefix else plain,
                )


RULE = Rule(
    id="OME-023",
    name="operator-without-effect",
    severity=Severity.WARNING,
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/modelver/util.go",
    check=_check,
    good="""\
supportedModelFormats:
- {modelFormat: {name: safetensors}, modelFramework: {name: transformers, version: 4.45.0, operator: GreaterThan}}
""",
    bad="""\
supportedModelFormats:
- {modelFormat: {name: safetensors}, modelFramework: {name: transformers, version: 4.45.0.dev0, operator: GreaterThan}}
""",
)
