"""The cases by the version of their CRDs, since a cluster has one version at a time."""

from __future__ import annotations

from typing import Final

from tests.doors.cases import CASES, Case
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.families.inference_extension.family import FAMILY as INFERENCE_EXTENSION
from weighbridge.policies.families.llmkube.family import FAMILY as LLMKUBE
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.webhook.inputs.facts import bundled_definitions

_NEWEST: Final = bundled_definitions()


def _version(case: Case) -> str:
    return LLMKUBE.bundled_version(Definitions(), case.configuration())


def _has_another_crd(case: Case) -> bool:
    """Whether a case of the Inference Extension is judged by another CRD than the newest of its kind."""
    gvk = GroupVersionKind.from_object(case.object)
    if gvk is None or INFERENCE_EXTENSION.kind(gvk) is None:
        return False
    newest, own = _NEWEST.get(gvk), bundled_definitions(case.configuration()).get(gvk)
    return newest is not None and own is not None and newest.openapi_schema != own.openapi_schema


#: The cases of older releases of the Inference Extension, by the version.
OF_OLD_EXTENSION: Final = [
    (INFERENCE_EXTENSION.bundled_version(Definitions(), case.configuration()), case) for case in CASES if _has_another_crd(case)
]
OF_NEWEST: Final = [case for case in CASES if _version(case) == LLMKUBE.versions[-1] and not _has_another_crd(case)]
OF_OLD: Final = [case for case in CASES if _version(case) == "v0.9.5"]
