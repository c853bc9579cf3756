"""A rule of a rewrite has no targets, so it rewrites nothing.

The CRD doesn't require them. v1.2.0 called the field `split` and v1.3.0 renamed it `targets`; the API server drops the name that its CRD
doesn't know. Write the models that the servers have under the name of the installed release.

Source: Gateway API Inference Extension v1.2.0 and v1.3.0, config/crd/bases.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import items
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for at, rule in enumerate(items(spec_of(request.object if isinstance(request.object, dict) else None), "rules")):
        if not rule.get("targets") and not rule.get("split"):
            yield RULE.finding(
                ("spec", "rules", at, "targets"),
                "is missing, so the rule rewrites nothing",
                expected="at least one target",
                hint="write targets; v1.2.0 called them split",
            )


RULE = Rule(
    id="GIE-025",
    name="rule-without-targets",
    severity=Severity.WARNING,
    kinds=("InferenceModelRewrite",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.2.0 and v1.3.0 config/crd/bases",
    check=_check,
    good="poolRef: {name: pool}\nrules: [{targets: [{modelRewrite: llama-3}]}]",
    bad="poolRef: {name: pool}\nrules: [{matches: [{model: {value: chat}}]}]",
)
