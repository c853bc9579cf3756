"""Rules about the legacy predictor of a service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native

#: The predictor of a service without an engine, read without its type; an empty map if there is none.
_PREDICTOR: Final = "object.?spec.engine.hasValue() ? dyn({}) : dyn(object).?spec.predictor.orValue({})"
_MIGRATES: Final = (
    "variables.predictor.?model.baseModel.hasValue() || variables.predictor.?minReplicas.hasValue()"
    " || variables.predictor.?affinity.hasValue() || variables.predictor.?serviceAccountName.orValue('') != ''"
    " || ['containers', 'volumes', 'nodeSelector', 'tolerations'].exists(key, size(variables.predictor[?key].orValue([])) > 0)"
)
_EMPTY: Final = "[dyn(null), dyn(''), dyn([]), dyn({})]"

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-038": native(
        must(
            "variables.lost.size() == 0 || !variables.migrates",
            ".spec.predictor.model",
            says=(
                "variables.lost.join(', ') + (variables.lost.size() == 1 ? ' is' : ' are')"
                " + ' lost when OME turns the predictor into an engine'"
            ),
        ),
        predictor=_PREDICTOR,
        migrates=_MIGRATES,
        lost=(
            "variables.predictor.?model.orValue({}).transformList(key, value,"
            " !(key in ['name', 'baseModel', 'runtime', 'fineTunedWeights'])"
            f" && !(value in {_EMPTY}), string(key)).sort()"
        ),
    ),
    "OME-039": native(
        must(
            "!variables.migrates || variables.place < 0 || variables.names[variables.place] == 'ome-container'"
            " || !('ome-container' in variables.names)",
            "",
            says=(
                "'spec.predictor.containers[' + string(variables.place) + '].name: OME chooses this container as the runner,"
                " because its name contains the letters ome and it comes before ome-container'"
            ),
        ),
        predictor=_PREDICTOR,
        migrates=_MIGRATES,
        names="variables.predictor.?containers.orValue([]).map(container, string(container.?name.orValue('')))",
        place="variables.names.map(name, name.lowerAscii().contains('ome')).indexOf(true)",
    ),
    "OME-040": native(
        must(
            "variables.stuck.size() == 0 || variables.migrates",
            ".spec.predictor",
            says=(
                "'with only ' + variables.stuck.join(' and ')"
                ' + " OME\'s controller rewrites the predictor, and its own webhook always refuses that"'
            ),
        ),
        predictor=_PREDICTOR,
        migrates=_MIGRATES,
        stuck="['maxReplicas', 'workerSpec'].filter(key, !(variables.predictor[?key].orValue(0) in [dyn(0), dyn({})]))",
    ),
    "OME-042": native(
        must(
            "!variables.migrates || object.?spec.model.name.orValue('') != '' || variables.predictor.?model.baseModel.orValue('') != ''",
            ".spec.predictor.model.baseModel",
            "no model is named, so OME creates no pods",
        ),
        predictor=_PREDICTOR,
        migrates=_MIGRATES,
    ),
}
