"""The volume of a KV cache is no size, or less than Redis should have.

A size of 0 or less makes no volume. Below 1Gi the documentation advises against it: Redis writes its data there, and stops when the
volume is full.

Source: kaiwo dbca1b55 internal/controller/aim/aimkvcache_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.fields import amount
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request

_LEAST: Final = 2**30


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    steps = ("storage", "size") if request.gvk.kind == "AIMKVCache" else ("kvCache", "storage", "size")
    size = lookup(spec_of(request.object), steps)
    read = amount(size)
    if request.gvk.group != OLD or read is None or read.value() >= _LEAST:
        return
    if read.sign() <= 0:
        found = RULE.finding(("spec", *steps), "a volume must be larger than 0", found=str(size), expected="1Gi or more")
        yield replace(found, severity=Severity.ERROR)
    else:
        yield RULE.finding(
            ("spec", *steps), f"{size} is less than the 1Gi that a KV cache should have", found=str(size), expected="1Gi or more"
        )


RULE = Rule(
    id="AIM-027",
    name="kv-cache-size",
    severity=Severity.WARNING,
    kinds=(
        "AIMKVCache",
        "AIMService",
    ),
    since="0.1.0",
    source="kaiwo dbca1b55 internal/controller/aim/aimkvcache_controller.go",
    check=_check,
    good="""\
kvCacheType: redis
storage: {size: 4Gi}""",
    bad="""\
kvCacheType: redis
storage: {size: 100Mi}""",
)
