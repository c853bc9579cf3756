"""Rules of OME as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule
from weighbridge.policies.families.ome.native import benchmarks, models, names, pods, predictors, runtimes, services, storage, versions

TABLE: Final[Mapping[str, NativeRule]] = {
    **runtimes.TABLE,
    **versions.TABLE,
    **models.TABLE,
    **storage.TABLE,
    **names.TABLE,
    **predictors.TABLE,
    **services.TABLE,
    **pods.TABLE,
    **benchmarks.TABLE,
}

_NUMBERS: Final = "it reads numbers as Go does, and CEL fails on those that are too large"
#: Why rules that look at one object alone aren't in the table.
LEFT: Final[Mapping[str, str]] = {"OME-006": _NUMBERS, "OME-103": _NUMBERS, "OME-142": _NUMBERS}
