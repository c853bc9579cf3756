"""Rules about services and their components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.native import NativeRule, must, native, none_of

_COMPONENTS: Final = ("engine", "decoder", "router")
_HAS_PREDICTOR: Final = "dyn(object).?spec.predictor.orValue({}) != {}"


def _annotation(name: str) -> str:
    """An annotation of OME as an optional."""
    return f"object.metadata.?annotations[?'ome.io/{name}']"


def _of_components(*texts: str) -> Iterable[Validation]:
    """A validation for each component. In the expression, the field and the message (in CEL), `{}` is the name of the component."""
    expression, field, says = texts
    for name in _COMPONENTS:
        component = f"object.?spec.{name}"
        yield must(expression.format(component), f".spec.{name}.{field}", says=says.format(component))


_HAS_NO_POD_AUTOSCALER: Final = f"{_annotation('autoscalerClass')}.orValue('') in ['keda', 'external']"

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-037": native(
        must(
            "object.?spec.runtime.name.orValue(object.?spec.runtime.hasValue() ? '' : 'none') != ''",
            ".spec.runtime.name",
            "a runtime without a name doesn't count: OME's webhook checks nothing, and its controller selects one",
        )
    ),
    "OME-060": native(
        must(
            f"!has(object.spec) || {_annotation('accelerator-class')}.orValue('') == ''"
            " || [object.?spec.acceleratorSelector.acceleratorClass, object.?spec.acceleratorSelector.policy,"
            " object.?spec.engine.acceleratorOverride.acceleratorClass, object.?spec.engine.acceleratorOverride.policy,"
            " object.?spec.decoder.acceleratorOverride.acceleratorClass, object.?spec.decoder.acceleratorOverride.policy]"
            ".exists(one, one.orValue('') != '')",
            "",
            "metadata.annotations.ome.io/accelerator-class: it only excludes runtimes that don't list the class; the pods get no class",
        )
    ),
    "OME-062": native(
        *(
            must(
                f"dyn(object).?spec.{name}.acceleratorOverride.constraints.orValue({{}}) == {{}}",
                f".spec.{name}.acceleratorOverride.constraints",
                "OME doesn't read constraints here",
            )
            for name in ("engine", "decoder")
        )
    ),
    "OME-068": native(
        none_of("unknown"),
        modes=(
            "{'metadata': object.metadata.?annotations[?'ome.io/deploymentMode'], "
            + ", ".join(f"'spec.{name}': object.?spec.{name}.annotations[?'ome.io/deploymentMode']" for name in _COMPONENTS)
            + "}"
        ),
        unknown=(
            "variables.modes.transformList(path, mode, !(mode.orValue('RawDeployment') in ['RawDeployment', 'Serverless', 'MultiNode',"
            " 'MultiNodeRayVLLM', 'PDDisaggregated', 'VirtualDeployment']),"
            " path + '.annotations.ome.io/deploymentMode: OME has no mode \"' + mode.value() + '\"')"
        ),
    ),
    "OME-070": native(
        *(
            must(f"dyn(object).?spec.{name}.kedaConfig.orValue({{}}) == {{}}", f".spec.{name}.kedaConfig", "OME doesn't read it here")
            for name in _COMPONENTS
        ),
        must(
            f"dyn(object).?spec.kedaConfig.orValue({{}}) == {{}} || {_annotation('autoscalerClass')}.orValue('') == 'keda'",
            ".spec.kedaConfig",
            "OME doesn't read it unless the annotation ome.io/autoscalerClass is keda",
        ),
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
    "OME-147": native(
        must(
            f"!object.?spec.decoder.hasValue() || object.?spec.engine.hasValue() || {_HAS_PREDICTOR}",
            ".spec.decoder",
            "a decoder needs an engine",
        )
    ),
    "OME-148": native(
        *_of_components(
            "!({0}.minAvailable.hasValue() && {0}.maxUnavailable.hasValue())",
            "minAvailable",
            "'a PodDisruptionBudget takes minAvailable or maxUnavailable, not both'",
        )
    ),
    "OME-149": native(
        none_of("wrong"),
        counts=(
            "{"
            + ", ".join(
                f"'{name}': [object.?spec.{name}.minReplicas.orValue(0), object.?spec.{name}.maxReplicas.orValue(0)]"
                for name in _COMPONENTS
            )
            + "}"
        ),
        wrong=(
            "variables.counts.transformMap(name, own, [own[0], own[1] == 0 ? (name == 'router' ? 2 : 3) : own[1]])"
            ".transformList(name, own, own[0] > own[1], 'spec.' + name + '.maxReplicas: minReplicas is ' + string(own[0])"
            " + ' and maxReplicas ' + string(own[1]) + ', so that the service never scales')"
        ),
    ),
    "OME-150": native(
        *_of_components(
            "{0}.canaryTrafficPercent.orValue(0) >= 0 && {0}.canaryTrafficPercent.orValue(0) <= 100",
            "canaryTrafficPercent",
            "string({0}.canaryTrafficPercent.value()) + ' isn\\'t a percentage of the traffic'",
        )
    ),
    "OME-151": native(
        *_of_components(
            f"!has(object.spec) || {_HAS_NO_POD_AUTOSCALER} || !({{0}}.scaleMetric.orValue('') in ['rps', 'concurrency'])"
            " || {0}.minReplicas.orValue(1) == 0",
            "scaleMetric",
            "'pods have no resource ' + {0}.scaleMetric.value() + ', and the autoscaler never scales'",
        )
    ),
    "OME-152": native(
        *_of_components(
            f"{_HAS_NO_POD_AUTOSCALER} || {_annotation('targetUtilizationPercentage')}.orValue('') != ''"
            " || {0}.scaleTarget.orValue(1) >= 1",
            "scaleTarget",
            "'the API server refuses an autoscaler with a target of ' + string({0}.scaleTarget.value())",
        )
    ),
    "OME-153": native(
        must(
            f"!has(object.spec) || {_annotation('deploymentMode')}.orValue('') == 'VirtualDeployment'"
            f" || object.?spec.engine.hasValue() || object.?spec.decoder.hasValue() || {_HAS_PREDICTOR}",
            ".spec.engine",
            "OME deploys nothing without spec.engine, even if the runtime has an engine",
        )
    ),
    "OME-154": native(
        must(
            "object.?spec.model.fineTunedWeights.orValue([]).size() <= 1",
            ".spec.model.fineTunedWeights",
            says="'OME serves one fine-tuned weight, not ' + string(object.spec.model.fineTunedWeights.size())",
        )
    ),
}
