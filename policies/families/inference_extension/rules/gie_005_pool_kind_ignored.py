"""The pool reference names a kind other than InferencePool, which nothing reads.

The endpoint picker compares the name alone: a reference to a Service or a misspelt kind routes as if it said InferencePool, until a
version that checks it drops the model.

Source: Gateway API Inference Extension v0.5.1; upstream issues 1275, 1306.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    kind = lookup(spec_of(request.object), ("poolRef", "kind"))
    if isinstance(kind, str) and kind != "InferencePool":
        yield RULE.finding(
            ("spec", "poolRef", "kind"),
            f'"{kind}" has no effect; the reference is read as an InferencePool',
            found=kind,
            expected="InferencePool",
            hint="remove kind",
        )


RULE = Rule(
    id="GIE-005",
    name="pool-kind-ignored",
    severity=Severity.WARNING,
    kinds=("InferenceModel",),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 pkg/epp",
    check=_check,
    good="modelName: llama-3\npoolRef: {name: pool}",
    bad="modelName: llama-3\npoolRef: {name: pool, kind: Service}",
)
