"""The pool reference names a kind other than InferencePool.

Endpoint pickers compare the reference's name and group with those of their own pool, and never read the kind: a reference to a Service or a
misspelt kind is taken for an InferencePool, until a version that checks it drops the object. Leave `kind` out.

Source: Gateway API Inference Extension v1.5.0, pkg/epp/controller; upstream issues 1275 and 1306.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool_reference import referred
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    kind = referred(request).kind
    if kind != "InferencePool":
        yield RULE.finding(
            ("spec", "poolRef", "kind"),
            f'"{kind}" has no effect; the reference is read as an InferencePool',
            found=kind,
            expected="InferencePool",
            hint="remove kind",
        )


RULE = Rule(
    id="GIE-008",
    name="pool-kind-not-served",
    severity=Severity.WARNING,
    kinds=("InferenceObjective", "InferenceModelRewrite"),
    since="0.1.0",
    source="Gateway API Inference Extension v1.5.0 pkg/epp/controller; issues 1275, 1306",
    check=_check,
    good="poolRef: {name: pool}\npriority: 1",
    bad="poolRef: {name: pool, kind: Service}\npriority: 1",
)
