"""Rules of AIM as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.aim.native.configs import CONFIGS
from weighbridge.policies.families.aim.native.models import MODELS
from weighbridge.policies.families.aim.native.services import SERVICES
from weighbridge.policies.families.aim.native.shared import SHARED
from weighbridge.policies.families.aim.native.sources import SOURCES
from weighbridge.policies.families.aim.native.templates import TEMPLATES
from weighbridge.policies.families.native import NativeRule

TABLE: Final[Mapping[str, NativeRule]] = {**SERVICES, **TEMPLATES, **MODELS, **SOURCES, **CONFIGS, **SHARED}

#: Why rules that look at one object alone aren't in the table.
LEFT: Final[Mapping[str, str]] = {
    "AIM-019": "it depends on whether the author wrote replicas or the CRD did",
    "AIM-027": "it refuses a size of 0 and warns of a small one, and a policy does one of the two",
    "AIM-031": "its message has Go's words for why a duration can't be read",
    "AIM-070": "its message has the name of a route, which ends in a digest",
    "AIM-105": "it writes amounts as Go does, which CEL can't",
}
