"""Rules of OME as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-025": native(
        must("variables.unknown.size() == 0", says="variables.unknown[0]"),
        unknown=(
            "object.?spec.protocolVersions.orValue([]).transformList(i, name,"
            " !(name in ['openAI', 'openInference-v1', 'openInference-v2', 'cohere']),"
            " 'spec.protocolVersions[' + string(i) + ']: OME knows no protocol \"' + name + '\"')"
        ),
    ),
    "OME-027": native(
        must(
            "object.?spec.discovery.nodeSelector.orValue({}).size() > 0",
            ".spec.discovery.nodeSelector",
            "without labels every node is of the class, also those without accelerators",
        )
    ),
    "OME-071": native(
        must(
            "object.?spec.kedaConfig.authModes.orValue('') == '' || object.?spec.kedaConfig.authenticationRef.name.orValue('') != ''",
            ".spec.kedaConfig.authenticationRef",
            "authModes have no effect without it",
        )
    ),
    "OME-072": native(
        must(
            "object.?spec.kedaConfig.customPromQuery.orValue('%s').contains('%s') || object.spec.kedaConfig.customPromQuery == ''",
            ".spec.kedaConfig.customPromQuery",
            "OME fills in the component's name with printf, and without %s spoils the query",
        )
    ),
    "OME-127": native(
        must(
            "type(variables.strategy) == string && variables.strategy != ''",
            "",
            "spec.hyperParameters.strategy: services that use it are never deployed: OME needs the strategy as a text",
        ),
        strategy="object.?spec.hyperParameters.strategy.orValue('')",
    ),
    "OME-128": native(
        must(
            "object.?spec.configuration.hasValue()",
            ".spec.configuration",
            "services that use it are never deployed: OME reads the configuration, and there is none",
        )
    ),
}
