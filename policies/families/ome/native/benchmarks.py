"""Rules about benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native, none_of

_TASK: Final = "object.?spec.task.orValue('')"
_SCENARIOS: Final = "object.?spec.trafficScenarios.orValue([])"
_PAIR: Final = "[(][0-9]+,[0-9]+[)]"
_TEXTS: Final = f"^(N{_PAIR}/{_PAIR}|U{_PAIR}(/{_PAIR})?|D{_PAIR})$"
_EMBEDDINGS: Final = "^E[(][0-9]+(,[0-9]+)?[)]$"
_IMAGES: Final = "^I[(][0-9]+,[0-9]+(,[0-9]+)?[)]$"

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-100": native(
        must(
            "object.?spec.endpoint.endpoint.hasValue() != object.?spec.endpoint.inferenceService.hasValue()",
            ".spec.endpoint",
            says=(
                "(object.?spec.endpoint.endpoint.hasValue() ? 'both endpoint and inferenceService are given' :"
                " 'neither endpoint nor inferenceService is given') + '; a benchmark has exactly one target'"
            ),
        )
    ),
    "OME-101": native(
        none_of("wrong"),
        form=f"{_TASK} == 'text-to-text' ? '{_TEXTS}' : {_TASK} == 'text-to-embeddings' ? '{_EMBEDDINGS}' : '{_IMAGES}'",
        wrong=(
            f"{_SCENARIOS}.transformList(i, scenario, !scenario.matches(variables.form),"
            f" 'spec.trafficScenarios[' + string(i) + ']: \"' + scenario + '\" isn\\'t a traffic scenario of ' + {_TASK})"
        ),
    ),
    "OME-102": native(
        none_of("wrong"),
        wrong=(
            f"{_TASK} != 'text-to-embeddings' ? [] : {_SCENARIOS}.size() == 0 ?"
            " ['spec.trafficScenarios: without scenarios OME v0.1.5 checks its own defaults, and refuses the job for them'] :"
            f" {_SCENARIOS}.transformList(i, scenario, scenario.matches('^E[(][0-9]+[)]$'),"
            " 'spec.trafficScenarios[' + string(i) + ']: the webhook of OME v0.1.5 refuses \"' + scenario + '\"')"
        ),
    ),
    "OME-110": native(
        must(
            f"!({_TASK} in ['image-to-text', 'image-to-embeddings']) || object.?spec.dataset.hasValue()",
            ".spec.dataset",
            says=f"{_TASK} + ' needs images, and no dataset is given'",
        )
    ),
    "OME-111": native(
        *(
            must(f"object.?spec.{field}.orValue(1) > 0", f".spec.{field}", says=f"string(object.spec.{field}) + ' measures nothing'")
            for field in ("maxTimePerIteration", "maxRequestsPerIteration", "serviceMetadata.gpuCount")
        ),
        none_of("wrong"),
        wrong=(
            "object.?spec.numConcurrency.orValue([]).transformList(i, figure, figure <= 0,"
            " 'spec.numConcurrency[' + string(i) + ']: ' + string(figure) + ' measures nothing')"
        ),
    ),
    "OME-182": native(
        must(
            "!(variables.state in ['Running', 'Completed', 'Failed']) || dyn(object).?spec.orValue({}) == dyn(oldObject).?spec.orValue({})",
            ".spec",
            says="'the benchmark is ' + variables.state + \", and OME doesn't change an existing Job\"",
        ),
        state="request.operation == 'UPDATE' ? oldObject.?status.state.orValue('') : ''",
    ),
}
