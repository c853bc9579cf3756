"""A pool's default is none of its members.

`default` is the member that runs while no request names one. Another name is ignored silently, so that
the pool stays cold.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.pooling import member_names
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import listed, similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    default, members = text(spec_of(request.object), "default"), member_names(request.object)
    if default and default not in members:
        yield RULE.finding(
            ("spec", "default"),
            f'"{default}" is not a member, so no member is kept warm',
            found=default,
            expected=listed(members),
            nearest=similar(default, members),
        )


RULE = Rule(
    id="LLMKUBE-132",
    name="pool-default-no-member",
    severity=Severity.WARNING,
    kinds=("ModelPool",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelpool_controller.go",
    check=_check,
    good="members: [{inferenceServiceRef: {name: llama}}]\ndefault: llama",
    bad="members: [{inferenceServiceRef: {name: llama}}]\ndefault: lama",
)
