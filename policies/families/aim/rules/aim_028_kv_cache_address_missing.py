"""The configuration of LMCache lacks the address of the cache.

The operator replaces `{SERVICE_URL}` by the address of Redis. With a `lmCacheConfig` that lacks it, the engine never reaches the cache.
Write `remote_url: {SERVICE_URL}`, or leave `lmCacheConfig` out.

Source: kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, old_specs, part, text


@old_specs.warning(
    kinds=("AIMService",), good="accepts-a-service-of-the-old-group", bad="warns-of-a-kv-cache-configuration-without-its-address"
)
def check(spec: JSONObject) -> Said:
    found = text(part(spec, "kvCache"), "lmCacheConfig")
    if found.strip() and "{SERVICE_URL}" not in found:
        yield Violation(
            ("spec", "kvCache", "lmCacheConfig"),
            "{SERVICE_URL} is missing, so the engine never reaches the cache",
            hint="write remote_url: {SERVICE_URL}, or leave lmCacheConfig out",
        )
