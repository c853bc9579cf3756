"""Rules about runtimes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native, none_of

_IS_DISABLED: Final = "object.?spec.disabled.orValue(false)"
_SIZES: Final = "object.?spec.modelSizeRange"
_SIZE: Final = "object.?spec.workers.size.orValue(0)"
_CONTAINERS: Final = "object.?spec.containers.orValue([])"
_HAS_MODE: Final = "container.?env.orValue([]).exists(entry, entry.?name.orValue('') == 'DEPLOYMENT_MODE' && entry.?value.orValue('') == "
_IGNORED: Final = (
    *("affinity", "tolerations", "volumes", "initContainers", "imagePullSecrets", "serviceAccountName", "priorityClassName"),
    *("runtimeClassName", "schedulerName", "topologySpreadConstraints", "hostNetwork", "hostIPC", "securityContext", "dnsPolicy"),
)

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-005": native(
        must(
            "variables.lacking.size() == 0",
            ".spec.modelSizeRange",
            says=(
                "variables.lacking.join(' and ') + (variables.lacking.size() == 1 ? ' is' : ' are')"
                " + ' missing, and OME panics for every service of a matching model'"
            ),
        ),
        lacking=(
            f"{_IS_DISABLED} || !{_SIZES}.hasValue() ? [] : ({_SIZES}.min.hasValue() ? [] : ['min'])"
            f" + ({_SIZES}.max.hasValue() ? [] : ['max'])"
        ),
    ),
    "OME-018": native(
        must(
            f"{_IS_DISABLED} || {_SIZES}.hasValue()"
            " || !object.?spec.supportedModelFormats.orValue([]).exists(one, one.?autoSelect.orValue(false))",
            ".spec.modelSizeRange",
            "without a size range OME prefers it for models of every size to runtimes of the same score",
        )
    ),
    "OME-020": native(
        must(
            f"!variables.is_asked || {_SIZE} > 0 || !object.?spec.workers.size.hasValue()",
            ".spec.workers.size",
            says=f"'OME refuses ' + string({_SIZE}) + ' workers'",
        ),
        none_of("wrong"),
        is_asked=f"!{_IS_DISABLED} && !(object.?spec.engineConfig.hasValue() && object.?spec.decoderConfig.hasValue())",
        wrong=(
            "!variables.is_asked || !object.?spec.engineConfig.hasValue() || object.?spec.workers.size.orValue(1) <= 0 ? []"
            f" : {_SIZE} == 0 ? {_CONTAINERS}.transformList(i, container, {_HAS_MODE}'MultiNode'),"
            " 'spec.containers[' + string(i) + '].env: DEPLOYMENT_MODE is MultiNode, and spec.workers.size gives no workers')"
            f" : {_CONTAINERS}.transformList(i, container, {_HAS_MODE}'RawDeployment'),"
            f" 'spec.containers[' + string(i) + '].env: DEPLOYMENT_MODE is RawDeployment, and spec.workers.size is ' + string({_SIZE}))"
        ),
    ),
    "OME-025": native(
        none_of("unknown"),
        unknown=(
            "object.?spec.protocolVersions.orValue([]).transformList(i, name,"
            " !(name in ['openAI', 'openInference-v1', 'openInference-v2', 'cohere']),"
            " 'spec.protocolVersions[' + string(i) + ']: OME has no protocol \"' + name + '\"')"
        ),
    ),
    "OME-063": native(
        none_of("wrong"),
        # The schema lacks most of the fields, so the expressions read them without their types.
        spec="dyn(object).?spec.orValue({})",
        wrong=(
            "!['engineConfig', 'decoderConfig', 'routerConfig'].exists(one, one in variables.spec) ? []"
            f" : {list(_IGNORED)}.filter(field, !(variables.spec[?field].orValue('') in [dyn(''), dyn([]), dyn({{}})]))"
            ".map(field, 'spec.' + field + ': OME reads it in engineConfig, decoderConfig and routerConfig, not here')"
        ),
    ),
}
