"""Rules of AIM as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native

TABLE: Final[Mapping[str, NativeRule]] = {
    "AIM-028": native(
        must(
            "variables.written.trim() == '' || variables.written.contains('{SERVICE_URL}')",
            ".spec.kvCache.lmCacheConfig",
            "{SERVICE_URL} is missing, so the engine never reaches the cache",
        ),
        kinds=("AIMService.aim.silogen.ai",),
        written="object.?spec.kvCache.lmCacheConfig.orValue('')",
    ),
    "AIM-078": native(
        must("!(variables.mode in ['Auto', 'Always'])", ".spec.caching.mode", says="variables.mode + ' is the old name of Shared'"),
        kinds=("AIMService.aim.eai.amd.com",),
        mode="object.?spec.caching.mode.orValue('')",
    ),
}
