"""Which version of LLMKube a cluster has, as far as the installed CRDs show.

Fields were only added, never removed. So a field that the CRD has shows its earliest possible release, and a missing one its latest. The
latest counts, since most clusters have the last release with the same CRD. Sources: LLMKube's CHANGELOG.md and config/crd/bases, v0.8.18 to
v0.9.19.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.upstream_versions import Version, parse_version
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.records import dataclass

MODEL: Final = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
INFERENCE_SERVICE: Final = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "InferenceService")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A field by which CRDs differ, and the last release before the next mark; `value` is a value of an enumeration, if only that is
    new.
    """

    field: str
    until: Version
    value: str = ""

    def stands_in(self, schema: JSONObject) -> bool | None:
        """Whether a schema has the mark; `None` if that part of the schema has been stripped."""
        for name in self.field.split("."):
            properties = part(schema, "properties")
            if name not in properties:
                return None if not properties and schema.get("x-kubernetes-preserve-unknown-fields") else False
            schema = part(properties, name)
        return not self.value or self.value in (schema.get("enum") or ())


#: The marks of each kind, the newest first; `_OLDER_MODEL` and `_OLDER_SERVICE` are the versions of CRDs without any of them.
_MODEL_MARKS: Final = (
    _Mark("spec.prefetch", (0, 9, 19)),  # since v0.9.11
    _Mark("spec.sourceSecretRef", (0, 9, 10)),  # v0.9.6
    _Mark("spec.files", (0, 9, 5)),  # v0.8.18
)
_SERVICE_MARKS: Final = (
    _Mark("spec.speculativeDecoding.draftModel", (0, 9, 19)),  # v0.9.18
    _Mark("spec.modelCache.persistence", (0, 9, 17)),  # v0.9.15
    _Mark("spec.vllmConfig.quantization", (0, 9, 14), "mxfp4"),  # v0.9.14
    _Mark("spec.suspend", (0, 9, 13)),  # v0.9.11
    _Mark("spec.resources.gpuSharing", (0, 9, 10)),  # v0.9.9
    _Mark("spec.slo", (0, 9, 8)),  # v0.9.8
    _Mark("spec.pagedSSDCacheDir", (0, 9, 7)),  # v0.9.7
    _Mark("spec.sglangConfig.logLevel", (0, 9, 6)),  # v0.9.6
    _Mark("spec.extraVolumes", (0, 9, 5)),  # v0.9.5
    _Mark("spec.sglangConfig", (0, 9, 4)),  # v0.9.4
    _Mark("spec.modelCache", (0, 9, 3)),  # v0.8.28
    _Mark("spec.rolloutPolicy", (0, 8, 27)),  # v0.8.23
    _Mark("spec.mode", (0, 8, 22)),  # v0.8.20
)
_OLDER_MODEL: Final[Version] = (0, 8, 17)
_OLDER_SERVICE: Final[Version] = (0, 8, 19)


def known_version(definitions: Definitions) -> Version | None:
    """The newest version to which the installed CRDs of Model and InferenceService can belong.

    It is `None` if neither is installed, or if a build has stripped these fields from their schemas. CRDs that are only used in place of
    unknown ones don't count. A version older than v0.8.18 counts as v0.8.17, and one newer than v0.9.19 as v0.9.19.
    """
    found = [
        version
        for gvk, marks, older in ((MODEL, _MODEL_MARKS, _OLDER_MODEL), (INFERENCE_SERVICE, _SERVICE_MARKS, _OLDER_SERVICE))
        if (definition := definitions.installed(gvk)) is not None
        and (version := _latest(definition.openapi_schema, marks, older)) is not None
    ]
    return min(found, default=None)


def version_of(installed: Definitions, config: Configuration) -> Version | None:
    """The version by the installed CRDs, else by the configuration; `None` if neither shows it."""
    return known_version(installed) or parse_version(config.settings_of(LLMKube).version or "")


def _latest(schema: JSONObject, marks: Sequence[_Mark], older: Version) -> Version | None:
    for mark in marks:
        is_there = mark.stands_in(schema)
        if is_there is None:
            return None
        if is_there:
            return mark.until
    return older
