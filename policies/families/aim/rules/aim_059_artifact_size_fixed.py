"""The size of an artifact is changed, which changes nothing.

The volume is made once. aim-engine takes another size without a word and leaves the volume as it is. Make a new artifact instead.

Source: aim-engine v0.2.1 internal/aimartifact.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import amount
from policies.findings import Finding, Severity
from policies.objects import Operation
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.operation is not Operation.UPDATE or not isinstance(request.old_object, dict):
        return
    new, old = spec_of(request.object).get("size"), spec_of(request.old_object).get("size")
    if amount(old) is not None and amount(new) != amount(old):
        yield RULE.finding(
            ("spec", "size"),
            "the volume keeps its size: it is made once",
            found=str(new),
            expected=str(old),
            hint="make a new cache of the source",
        )


RULE = Rule(
    id="AIM-059",
    name="artifact-size-fixed",
    severity=Severity.WARNING,
    kinds=(
        "AIMArtifact",
        "AIMModelCache",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimartifact",
    check=_check,
    good="""\
spec: {sourceUri: "hf://acme/llama", size: 16Gi}
old: {sourceUri: "hf://acme/llama", size: 16Gi}""",
    bad="""\
spec: {sourceUri: "hf://acme/llama", size: 32Gi}
old: {sourceUri: "hf://acme/llama", size: 16Gi}""",
)
