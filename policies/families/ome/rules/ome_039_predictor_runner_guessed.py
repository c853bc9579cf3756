"""Another container than the one that serves becomes a predictor's runner.

When OME makes an engine of a predictor it takes the first container whose name holds the letters `ome`, as in `awesome-proxy`, for the
runner. Put `ome-container` first, or write the engine yourself.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.predictors import MAIN, migrates, predictor_of, runner_of
from weighbridge.policies.ground.fields import items, text


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-a-runner-that-stands-first",
    bad="warns-of-a-proxy-that-becomes-the-runner",
)
def check(given: Given) -> Said:
    predictor = predictor_of(given.object)
    runner = runner_of(predictor)
    if runner is None or not migrates(predictor) or "engine" in given.spec or text(runner, "name") == MAIN:
        return
    names = [text(container, "name") for container in items(predictor, "containers")]
    if MAIN in names:
        yield Violation(
            ("spec", "predictor", "containers", names.index(text(runner, "name")), "name"),
            f"OME takes this container for the one that serves, since its name holds the letters ome and it stands before {MAIN}",
            found=text(runner, "name"),
            hint=f"put {MAIN} first",
        )
