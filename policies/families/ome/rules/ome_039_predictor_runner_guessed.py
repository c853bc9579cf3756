"""OME chooses the wrong container as a predictor's runner.

When OME turns a predictor into an engine, it chooses the first container whose name contains the letters `ome` as the runner, also
`awesome-proxy`. Put `ome-container` first, or write the engine yourself.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from weighbridge.policies.families.ome.rulebook import JSONObject, Said, Violation, items, lone_predictors, text
from weighbridge.policies.families.ome.subject.predictors import MAIN, migrates, runner_of


@lone_predictors.warning(good="accepts-a-runner-that-is-listed-first", bad="warns-of-a-proxy-that-becomes-the-runner")
def check(predictor: JSONObject) -> Said:
    name = text(runner_of(predictor), "name")
    names = [text(container, "name") for container in items(predictor, "containers")]
    if name != MAIN and MAIN in names and migrates(predictor):
        yield Violation(
            ("spec", "predictor", "containers", names.index(name), "name"),
            f"OME chooses this container as the runner, because its name contains the letters ome and it comes before {MAIN}",
            found=name,
            hint=f"put {MAIN} first",
        )
