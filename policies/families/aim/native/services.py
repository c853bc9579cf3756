"""Rules about services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.aim.native.words import IS_OLD, SPEC, of_new
from weighbridge.policies.families.aim.predictions.names import LONGEST, LONGEST_NAMESPACE
from weighbridge.policies.families.native import NativeRule, finds, must, native

_METRIC: Final = "'spec.autoScaling.metrics[' + string(i) + '].podmetric"
_NAMESPACE: Final = "object.metadata.?namespace.orValue('')"

SERVICES: Final[Mapping[str, NativeRule]] = {
    # The CRD's minimum is 1.
    "AIM-008": finds(
        "(variables.replicas < 1 && variables.least == 0 && variables.most == 0 && !object.?spec.autoScaling.hasValue()"
        " ? ['spec.replicas: ' + string(variables.replicas) + ' replicas can\\'t be run'] : [])"
        " + (variables.least > variables.most && variables.most > 0"
        " ? ['spec.maxReplicas: maxReplicas ' + string(variables.most) + ' is under minReplicas ' + string(variables.least)] : [])"
        f" + (variables.least > 0 && variables.most == 0 && {IS_OLD} ? ['spec.maxReplicas: minReplicas is set without maxReplicas'] : [])",
        replicas="object.?spec.replicas.orValue(1)",
        least="object.?spec.minReplicas.orValue(0)",
        most="object.?spec.maxReplicas.orValue(0)",
    ),
    "AIM-009": finds(
        "!object.?spec.autoScaling.hasValue() ? []"
        " : variables.metrics.size() == 0 ? ['spec.autoScaling.metrics: there is no metric to scale by']"
        " : variables.metrics.transformList(i, metric, !has(metric.podmetric),"
        f" {_METRIC}: the metric says nothing: podmetric is missing')"
        " + variables.targets.transformList(i, target, target == 'Utilization',"
        f" {_METRIC}.target.type: Utilization is only known of CPU and memory')"
        " + variables.targets.transformList(i, target, target in variables.fields"
        " && !isQuantity(dyn(variables.metrics[i]).podmetric.target[?variables.fields[target]].orValue('')),"
        f" {_METRIC}.target.' + variables.fields[target] + ': a target of type ' + target + ' needs '"
        " + variables.fields[target] + ', an amount')",
        metrics="object.?spec.autoScaling.metrics.orValue([])",
        fields="{'Value': 'value', 'AverageValue': 'averageValue'}",
        targets="variables.metrics.map(metric, metric.?podmetric.target.type.orValue(''))",
    ),
    "AIM-016": finds(
        f"['name', 'ref', 'image'].filter(field, {SPEC}.model[?field].orValue('-').trim() == '')"
        ".map(field, 'spec.model.' + field + ': ' + field + ' is empty, so no model is found')"
        f" + ({SPEC}.model.custom.baseImage.orValue('-') == '' ? ['spec.model.custom.baseImage: the image of the model is empty'] : [])"
    ),
    "AIM-017": native(
        must(
            "object.?spec.model.custom.hardware.gpu.requests.orValue(1) != 0",
            ".spec.model.custom.hardware.gpu.requests",
            "with 0 GPUs the service is never reconciled: its own update would change the model",
        ),
        must(
            "!object.?spec.model.custom.hasValue() || object.?spec.template.allowUnoptimized.orValue(false)"
            " || object.?spec.template.name.orValue('') != ''",
            ".spec.template.allowUnoptimized",
            "the template of a described model is unoptimized, and isn't chosen",
        ),
        kinds=of_new("AIMService"),
    ),
    "AIM-018": native(
        must(
            f"{_NAMESPACE}.size() <= {LONGEST_NAMESPACE}",
            ".metadata.namespace",
            says=(
                "'the namespace\\'s name has ' + string(object.metadata.namespace.size())"
                " + ' characters, which leaves no room for the name of an InferenceService'"
            ),
        ),
        kinds=of_new("AIMService"),
    ),
    "AIM-028": native(
        must(
            "variables.written.trim() == '' || variables.written.contains('{SERVICE_URL}')",
            ".spec.kvCache.lmCacheConfig",
            "{SERVICE_URL} is missing, so the engine never reaches the cache",
        ),
        kinds=("AIMService.aim.silogen.ai",),
        written="object.?spec.kvCache.lmCacheConfig.orValue('')",
    ),
    "AIM-029": native(
        must(
            "variables.room <= 0 || object.metadata.?name.orValue('').size() <= variables.room",
            ".metadata.name",
            says="'the InferenceService gets only the first ' + string(variables.room) + ' characters of the name and a digest'",
        ),
        room=f"{LONGEST} - '-predictor-'.size() - {_NAMESPACE}.size() - ({IS_OLD} ? 0 : '-01234567'.size())",
    ),
    "AIM-078": native(
        must("!(variables.mode in ['Auto', 'Always'])", ".spec.caching.mode", says="variables.mode + ' is the old name of Shared'"),
        kinds=of_new("AIMService"),
        mode="object.?spec.caching.mode.orValue('')",
    ),
}
