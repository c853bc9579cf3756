"""The pool reference names a kind other than InferencePool.

Since InferenceObjective the endpoint picker takes only what refers to its own pool, and that is an InferencePool. An object that refers
to something else is stored and has no effect. Leave `kind` out.

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
            f'a "{kind}" has no endpoint picker, so the {request.gvk.kind} has no effect',
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
