"""Rules of OME as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.native import NativeRule

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-025": NativeRule(
        (Validation("variables.unknown.size() == 0", message_expression="variables.unknown[0]"),),
        {
            "unknown": "object.?spec.protocolVersions.orValue([]).transformList(i, name,"
            " !(name in ['openAI', 'openInference-v1', 'openInference-v2', 'cohere']),"
            " 'spec.protocolVersions[' + string(i) + ']: OME has no protocol \"' + name + '\"')"
        },
    ),
    "OME-027": NativeRule(
        (
            Validation(
                "object.?spec.discovery.nodeSelector.orValue({}).size() > 0",
                message="without labels every node is of the class, also those without accelerators",
                field_path=".spec.discovery.nodeSelector",
            ),
        )
    ),
    "OME-071": NativeRule(
        (
            Validation(
                "object.?spec.kedaConfig.authModes.orValue('') == '' || object.?spec.kedaConfig.authenticationRef.name.orValue('') != ''",
                message="authModes have no effect without it",
                field_path=".spec.kedaConfig.authenticationRef",
            ),
        )
    ),
    "OME-072": NativeRule(
        (
            Validation(
                "object.?spec.kedaConfig.customPromQuery.orValue('%s').contains('%s') || object.spec.kedaConfig.customPromQuery == ''",
                message="OME fills in the component's name with printf, and without %s spoils the query",
                field_path=".spec.kedaConfig.customPromQuery",
            ),
        )
    ),
    "OME-127": NativeRule(
        (
            Validation(
                "type(variables.strategy) == string && variables.strategy != ''",
                # The schema says nothing of what is in it, so the field is named here.
                message="spec.hyperParameters.strategy: services that use it are never deployed: OME needs the strategy as a text",
            ),
        ),
        {"strategy": "object.?spec.hyperParameters.strategy.orValue('')"},
    ),
    "OME-128": NativeRule(
        (
            Validation(
                "object.?spec.configuration.hasValue()",
                message="services that use it are never deployed: OME reads the configuration, which is missing",
                field_path=".spec.configuration",
            ),
        )
    ),
}
