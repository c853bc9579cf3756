"""The configuration of LMCache doesn't say where the cache is.

The operator puts the address of Redis in the place of `{SERVICE_URL}`. A `lmCacheConfig` without it never reaches the cache.

Source: kaiwo dbca1b55 internal/controller/aim/aimservice_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part


@objects.warning(
    kinds=("AIMService",),
    good="accepts-a-service-of-the-old-group",
    bad="warns-of-a-kv-cache-configuration-without-its-address",
)
def check(given: Given) -> Said:
    found = part(given.spec, "kvCache").get("lmCacheConfig")
    if given.group == OLD and isinstance(found, str) and found.strip() and "{SERVICE_URL}" not in found:
        yield Violation(
            ("spec", "kvCache", "lmCacheConfig"),
            "{SERVICE_URL} is missing, so the engine never reaches the cache",
            hint="write remote_url: {SERVICE_URL}, or leave lmCacheConfig out",
        )
