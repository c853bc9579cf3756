"""Rules of AIM as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.native import NativeRule

TABLE: Final[Mapping[str, NativeRule]] = {
    "AIM-028": NativeRule(
        (
            Validation(
                "variables.written.trim() == '' || variables.written.contains('{SERVICE_URL}')",
                message="{SERVICE_URL} is missing, so the engine never reaches the cache",
                field_path=".spec.kvCache.lmCacheConfig",
            ),
        ),
        {"written": "object.?spec.kvCache.lmCacheConfig.orValue('')"},
        ("AIMService.aim.silogen.ai",),
    ),
    "AIM-078": NativeRule(
        (
            Validation(
                "!(variables.mode in ['Auto', 'Always'])",
                message_expression="variables.mode + ' is the old name of Shared'",
                field_path=".spec.caching.mode",
            ),
        ),
        {"mode": "object.?spec.caching.mode.orValue('')"},
        ("AIMService.aim.eai.amd.com",),
    ),
}
