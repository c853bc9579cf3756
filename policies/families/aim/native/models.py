"""Rules about models and the GPUs that are described for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.aim.native.words import SPEC, at, of_new
from weighbridge.policies.families.aim.subject.images import IMAGE
from weighbridge.policies.families.native import NativeRule, finds, must, native, raw

_NEW: Final = of_new("AIMModel", "AIMClusterModel")
_IMAGES: Final = f"{{?'image': {SPEC}.image, ?'model.image': {SPEC}.model.image, ?'model.custom.baseImage': {SPEC}.model.custom.baseImage}}"
_BLOCKS: Final = ("hardware.gpu", "custom.hardware.gpu", "model.custom.hardware.gpu")
_DESCRIBED: Final = "['model', 'minVram'].filter(name, gpu[?name].orValue('') != '')"
_CUSTOM_TEMPLATES: Final = "object.?spec.customTemplates.orValue([])"

MODELS: Final[Mapping[str, NativeRule]] = {
    "AIM-022": finds(
        "variables.images.transformList(field, image, image.trim() != '' && !image.trim().matches(variables.pattern),"
        " 'spec.' + field + ': \"' + image + '\" can\\'t be read as an image'"
        " + (image.lowerAscii().matches(variables.pattern) ? ': a repository has no upper-case letters' : ''))",
        pattern=raw(f"^({IMAGE.pattern})$"),
        images=_IMAGES,
    ),
    "AIM-046": finds(
        f"variables.gpus.transformList(i, gpu, {_DESCRIBED}.size() > 0 && gpu.?requests.orValue(0) <= 0,"
        f" 'spec.' + variables.places[i] + '.requests: ' + {_DESCRIBED}.join(' and ') + ' without requests: the pods request no GPU')",
        kinds=of_new("AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMModel", "AIMClusterModel", "AIMService"),
        # A template takes the fields that it leaves open from the model's hardware.
        templates=f"{SPEC}.custom.hardware.gpu.requests.orValue(0) != 0 ? [] : {SPEC}.customTemplates.orValue([])",
        gpus=(
            f"[{', '.join(f'{SPEC}.{block}.orValue({{}})' for block in _BLOCKS)}]"
            " + variables.templates.map(one, one.?hardware.gpu.orValue({}))"
        ),
        places=(
            f"[{', '.join(map(repr, _BLOCKS))}]"
            " + variables.templates.transformList(i, one, 'customTemplates[' + string(i) + '].hardware.gpu')"
        ),
    ),
    "AIM-051": native(
        must(
            "object.?spec.discovery.extractMetadata.orValue(true) || !object.?spec.discovery.createServiceTemplates.orValue(true)"
            " || object.?spec.imageMetadata.model.hasValue() || object.?spec.imageMetadata.oci.hasValue()"
            " || object.?spec.imageMetadata.originalLabels.hasValue() || object.?spec.modelSources.orValue([]).size() > 0",
            ".spec.discovery.extractMetadata",
            "no template can be created: the metadata is neither extracted nor given",
        ),
        kinds=_NEW,
    ),
    "AIM-052": finds(
        f"(object.?spec.modelSources.orValue([]).size() == 0 || object.?spec.custom.hardware.hasValue() || {_CUSTOM_TEMPLATES}.size() > 0"
        " ? [] : ['spec.custom.hardware: a model with sources has no hardware, and would be served without a GPU'])"
        f" + (object.?spec.custom.hardware.gpu.minVram.hasValue() ? {_CUSTOM_TEMPLATES} : []).transformList(i, one,"
        f" one.?hardware.gpu.model.orValue('') != '', {at('customTemplates', '.hardware.gpu.model')}the template would have both"
        " a GPU model and minVram of custom.hardware, which is refused')",
        kinds=_NEW,
    ),
    "AIM-055": finds(
        "variables.ranks.transformList(i, rank, variables.ranks.indexOf(rank) < i,"
        f" {at('customTemplates')}has the type, GPU, metric and precision of customTemplates[' + string(variables.ranks.indexOf(rank))"
        " + ']: services of the model find neither')",
        kinds=_NEW,
        type="object.?spec.custom.type.orValue('')",
        model="object.?spec.custom.hardware.gpu.model.orValue('')",
        ranks=(
            f"{_CUSTOM_TEMPLATES}.map(one, (one.?type.orValue('') == '' ? variables.type : one.type) + '\\n'"
            " + (one.?hardware.gpu.model.orValue('') == '' ? variables.model : one.hardware.gpu.model).trim().upperAscii() + '\\n'"
            " + one.?profile.metric.orValue('') + '\\n' + one.?profile.precision.orValue(''))"
        ),
    ),
}
