"""Rules about the settings of Playgrounds, some of which BackendRuntimes have, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native, none_of

# The two kinds have different fields, so the expressions read them without their types.
_SPEC: Final = "dyn(object).?spec"
_CONFIGS: Final = f"{_SPEC}.recommendedConfigs.orValue([])"
_ELASTIC: Final = "object.?spec.elasticConfig"
_SKIP: Final = "llmaz.io/skip-model-loader"
_TAG: Final = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(@[A-Za-z][A-Za-z0-9]*([-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?"


def _holder(field: str) -> str:
    """The path of a field of Playgrounds, or of configuration `i` of a BackendRuntime."""
    return f"(object.kind == 'Playground' ? 'spec.{field}' : 'spec.recommendedConfigs[' + string(i) + ']')"


TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMAZ-031": native(
        none_of("wrong"),
        resources=(
            f"object.kind == 'Playground' ? [{_SPEC}.backendRuntimeConfig.resources.orValue({{}})]"
            f" : {_CONFIGS}.map(config, config.?resources.orValue({{}}))"
        ),
        wrong=(
            "variables.resources.transformList(i, own, own.?limits.orValue({}).transformList(name, limit, own.?requests[?name].hasValue()"
            " && isQuantity(string(limit)) && isQuantity(string(own.requests[name]))"
            " && quantity(string(limit)).isLessThan(quantity(string(own.requests[name]))),"
            f" {_holder('backendRuntimeConfig')} + '.resources.limits.' + string(name) + ': the limit of ' + string(name)"
            " + ' is below the request')).flatten()"
        ),
    ),
    "LLMAZ-032": native(
        must("variables.least >= 1", ".spec.elasticConfig.minReplicas", "at least one replica has to run"),
        must(
            f"!{_ELASTIC}.hasValue() || variables.least < 1 || variables.least < {_ELASTIC}.maxReplicas.orValue(0)",
            ".spec.elasticConfig.maxReplicas",
            says=(
                f"'minReplicas is ' + string(variables.least) + ({_ELASTIC}.minReplicas.hasValue() ? '' : ' where it is left open')"
                " + ', and maxReplicas must be larger'"
            ),
        ),
        least=f"{_ELASTIC}.minReplicas.orValue(1)",
    ),
    "LLMAZ-033": native(
        none_of("wrong"),
        triggers=(f"object.kind == 'Playground' ? [{_SPEC}.elasticConfig.scaleTrigger] : {_CONFIGS}.map(config, config.?scaleTrigger)"),
        wrong=(
            "variables.triggers.transformList(i, trigger, trigger.hasValue() && !trigger.hpa.hasValue(),"
            f" {_holder('elasticConfig')} + '.scaleTrigger.hpa: the trigger has no hpa')"
        ),
    ),
    "LLMAZ-039": native(
        none_of("wrong"),
        wrong=(
            "object.?spec.backendRuntimeConfig.args.orValue([]).transformList(i, argument, argument.contains('{{'),"
            " 'spec.backendRuntimeConfig.args[' + string(i) + \"]: llmaz doesn't fill in variables in arguments of Playgrounds\")"
        ),
    ),
    "LLMAZ-044": native(
        must(
            "variables.value in ['', 'true', 'false'] && !(variables.is_there && variables.value == '')",
            "",
            f"metadata.annotations.{_SKIP}: the loader runs: only the value true leaves it out",
        ),
        must(
            f"variables.is_there || !('{_SKIP}' in object.metadata.?labels.orValue({{}}))",
            "",
            f"metadata.labels.{_SKIP}: the loader runs: llmaz only reads it as an annotation",
        ),
        is_there=f"'{_SKIP}' in object.metadata.?annotations.orValue({{}})",
        value=f"object.metadata.?annotations[?'{_SKIP}'].orValue('')",
    ),
    "LLMAZ-055": native(
        must(
            f"variables.version.matches('^{_TAG}$') || object.kind == 'BackendRuntime' && variables.version.trim() == ''",
            "",
            says=(
                "(object.kind == 'Playground' ? 'spec.backendRuntimeConfig.version' : 'spec.version')"
                ' + ": the version can\'t be the tag of an image, so no node can fetch the image"'
            ),
        ),
        version=f"string((object.kind == 'Playground' ? {_SPEC}.backendRuntimeConfig.version : {_SPEC}.version).orValue('latest'))",
    ),
}
