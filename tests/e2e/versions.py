"""The cases by the version of the CRDs that they are judged by: a cluster has one version at a time."""

from __future__ import annotations

from typing import Final

from policies.apiserver.definitions import Definitions
from policies.families.llmkube.family import FAMILY
from tests.doors.cases import CASES, Case


def _version(case: Case) -> str:
    return FAMILY.bundled_version(Definitions(), case.configuration())


OF_NEWEST: Final = [case for case in CASES if _version(case) == FAMILY.versions[-1]]
OF_OLD: Final = [case for case in CASES if _version(case) == "v0.9.5"]
