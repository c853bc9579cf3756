"""The volume of a KV cache is no size, or less than Redis should have.

A size of 0 or less makes no volume. Below 1Gi the documentation advises against it: Redis writes its data there, and stops when the
volume is full.

Source: kaiwo dbca1b55 internal/controller/aim/aimkvcache_controller.go.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import amount
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import lookup

_LEAST: Final = 2**30


@objects.warning(
    kinds=("AIMKVCache", "AIMService"),
    good="accepts-a-kv-cache-of-a-gibibyte",
    bad="warns-of-a-small-kv-cache",
)
def check(given: Given) -> Said:
    steps = ("storage", "size") if given.kind == "AIMKVCache" else ("kvCache", "storage", "size")
    size = lookup(given.spec, steps)
    read = amount(size)
    if given.group != OLD or read is None or read.value() >= _LEAST:
        return
    if read.sign() <= 0:
        found = Violation(("spec", *steps), "a volume must be larger than 0", found=str(size), expected="1Gi or more")
        yield replace(found, severity=Severity.ERROR)
    else:
        yield Violation(
            ("spec", *steps), f"{size} is less than the 1Gi that a KV cache should have", found=str(size), expected="1Gi or more"
        )
