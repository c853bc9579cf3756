"""Rules about templates and the caches that are made for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from weighbridge.policies.families.aim.native.words import IS_OLD, SPEC, at, of_new, of_old
from weighbridge.policies.families.aim.rules.aim_053_precision_unsupported import LACKING
from weighbridge.policies.families.aim.subject.gpus import KNOWN_MODELS, NVIDIA_MODEL
from weighbridge.policies.families.native import NativeRule, finds, must, native
from weighbridge.policies.ground.go_text import json_text

#: Variables: the GPU that a template requests, and its model as the operator compares it.
_GPU: Final[dict[str, Any]] = {
    "gpu": f"({IS_OLD} ? {SPEC}.gpuSelector : {SPEC}.hardware.gpu).orValue({{}})",
    "words": (
        "variables.gpu.?model.orValue('').trim().upperAscii().replace('_', '-').replace(' ', '-').replace('/', '-')"
        ".replace(':', '-').split('-').filter(word, word != '')"
    ),
    "named": (
        "variables.words.filter(word, word.matches('^(MI|ME|RX|RTX|GTX|A|H|L|T|V|K|P|QUADRO|TESLA|GRID)?[A-Z]*[0-9]+[A-Z0-9]*$')"
        f" && !(word in (['AMD', 'INSTINCT'] + ({IS_OLD} ? ['NVIDIA', 'TESLA', 'RTX'] : []))))"
    ),
    "model": "(variables.named + variables.words + ['']).map(word, word.startsWith('INSTINCT') ? word.substring(8) : word)[0]",
}
_RESOURCE: Final[dict[str, Any]] = {
    "resource": "variables.gpu.?resourceName.orValue('') == '' ? 'amd.com/gpu' : variables.gpu.resourceName"
}

#: The variables that the job of a template gets without its `env`.
_TAKEN: Final = " + ".join(
    [
        "['AIM_LOG_LEVEL_ROOT', 'AIM_LOG_LEVEL']",
        f"({SPEC}.metric.orValue('') != '' ? ['AIM_METRIC'] : [])",
        f"({SPEC}.precision.orValue('') != '' ? ['AIM_PRECISION'] : [])",
        f"({SPEC}.profileId.orValue('') != '' ? ['AIM_PROFILE_ID'] : [])",
        "(variables.gpu.?model.orValue('') != '' ? ['AIM_GPU_MODEL'] : [])",
        f"((({IS_OLD}) ? variables.gpu.?count : variables.gpu.?requests).orValue(0) > 0 ? ['AIM_GPU_COUNT'] : [])",
    ]
)


def _amount(side: str) -> str:
    """The amount of the resource that a template states, as a text; empty if it states none that can be read."""
    return f"[string(dyn(object.?spec.resources.{side}[?variables.resource].orValue('')))].filter(one, isQuantity(one)).join()"


TEMPLATES: Final[Mapping[str, NativeRule]] = {
    "AIM-042": native(
        must(
            f"!(variables.is_of_amd && variables.model.matches('^{NVIDIA_MODEL.pattern}$'))"
            f" && !(variables.resource.startsWith('nvidia.com/') && variables.model in {json_text(sorted(KNOWN_MODELS))})",
            says=(
                f"({IS_OLD} ? 'spec.gpuSelector' : 'spec.hardware.gpu') + '.resourceName: ' + variables.model + (variables.is_of_amd"
                " ? ' isn\\'t an AMD GPU, and ' + variables.resource"
                " + (variables.resource == 'amd.com/gpu' ? ', which the CRD writes where no name is given, is' : ' is')"
                " : ' is a GPU of AMD\\'s, and ' + variables.resource + ' isn\\'t')"
            ),
        ),
        **_GPU,
        **_RESOURCE,
        is_of_amd="variables.resource.startsWith('amd.com/')",
    ),
    "AIM-106": finds(
        f"!({IS_OLD}) && {SPEC}.modelSources.orValue([]).size() > 0 ? []"
        f" : {SPEC}.env.orValue([]).transformList(i, one, one.name in variables.taken,"
        " 'spec.env[' + string(i) + '].name: ' + one.name + ' would be set twice, so the job that discovers the template is refused')",
        **_GPU,
        taken=_TAKEN,
    ),
    "AIM-047": native(
        *(
            must(
                f"{SPEC}.{field}.orValue('') == '' || {SPEC}.{field}.orValue('').trim() != ''",
                says=f"'spec.{field}: blanks count as no model, so the pods may get any GPU'",
            )
            for field in ("hardware.gpu.model", "gpuSelector.model")
        )
    ),
    "AIM-053": native(
        must(
            f"!(variables.model in {json_text({name: sorted(models) for name, models in LACKING.items()})}"
            "[?variables.precision].orValue([]))",
            ".spec.precision",
            says="variables.model + ' has no ' + variables.precision + ' arithmetic'",
        ),
        **_GPU,
        precision="object.?spec.precision.orValue('')",
    ),
    "AIM-059": native(
        must(
            "!isQuantity(variables.before)"
            " || (isQuantity(variables.now) && quantity(variables.now).compareTo(quantity(variables.before)) == 0)",
            ".spec.size",
            "the volume keeps its size: it is created once",
        ),
        now="string(dyn(dyn(object).?spec.size.orValue('')))",
        before="oldObject == null ? '' : string(dyn(dyn(oldObject).?spec.size.orValue('')))",
    ),
    "AIM-074": finds(
        f"oldObject == null ? [] : ['metric', 'precision', {IS_OLD} ? 'gpuSelector' : 'hardware']"
        f".filter(field, {SPEC}[?field].hasValue() != dyn(oldObject).?spec[?field].hasValue())"
        f".map(field, 'spec.' + field + ': ' + field + ({SPEC}[?field].hasValue() ? ' is set on a template that had none' : ' is removed')"
        " + ', though it can\\'t be changed; what was created for the template stays')"
    ),
    "AIM-075": native(
        must(
            "variables.asked == '' && (variables.most == '' || variables.count <= 0)"
            " || variables.limit != '' && quantity(variables.request).compareTo(quantity(variables.limit)) == 0",
            ".spec.resources",
            says=(
                "'pods would request ' + variables.request + ' ' + variables.resource + ' with a limit of '"
                " + (variables.limit == '' ? 'none' : variables.limit)"
            ),
        ),
        gpu=_GPU["gpu"],
        **_RESOURCE,
        count=f"variables.gpu[?({IS_OLD} ? 'count' : 'requests')].orValue(0)",
        asked=_amount("requests"),
        most=_amount("limits"),
        default="variables.count > 0 ? string(variables.count) : ''",
        request="variables.asked == '' ? variables.default : variables.asked",
        limit="variables.most == '' ? variables.default : variables.most",
    ),
    "AIM-076": finds(
        "variables.names.transformList(i, name, variables.names.indexOf(name) < i,"
        f" {at('caching.env', '.name')}' + name + ' is listed twice, and the last one counts')",
        kinds=of_old("AIMServiceTemplate"),
        names="object.?spec.caching.env.orValue([]).map(entry, entry.name)",
    ),
    "AIM-035": finds(
        "object.kind == 'AIMTemplateCache' ? variables.unread.map(field, 'spec.' + field + ': ' + field"
        f" + ' of a template cache is never read') : !({IS_OLD}) ? []"
        f" : ({SPEC}.runtimeConfigName.orValue('') in ['', 'default'] ? []"
        " : ['spec.runtimeConfigName: models take the runtime config default, whatever is named here'])"
        f" + ({SPEC}.defaultServiceTemplate.orValue('') == '' ? []"
        " : ['spec.defaultServiceTemplate: is never read: services choose among all templates'])",
        unread=f"['modelSources', 'downloadImage', 'imagePullSecrets'].filter(field, {SPEC}[?field].orValue('').size() > 0)",
        kinds=(*of_old("AIMModel", "AIMClusterModel", "AIMTemplateCache"), *of_new("AIMTemplateCache")),
    ),
}
