"""Another container than the one that serves becomes a predictor's runner.

When OME makes an engine of a predictor it takes the first container whose name holds the letters `ome`, as in `awesome-proxy`, for the
runner. Put `ome-container` first, or write the engine yourself.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.predictors import MAIN, migrates, predictor_of, runner_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    predictor = predictor_of(request.object)
    runner = runner_of(predictor)
    if runner is None or not migrates(predictor) or "engine" in spec_of(request.object) or text(runner, "name") == MAIN:
        return
    names = [text(container, "name") for container in items(predictor, "containers")]
    if MAIN in names:
        yield RULE.finding(
            ("spec", "predictor", "containers", names.index(text(runner, "name")), "name"),
            f"OME takes this container for the one that serves, since its name holds the letters ome and it stands before {MAIN}",
            found=text(runner, "name"),
            hint=f"put {MAIN} first",
        )


RULE = Rule(
    id="OME-039",
    name="predictor-runner-guessed",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad="""\
predictor:
  model: {name: "", baseModel: llama}
  containers: [{name: awesome-proxy, image: "proxy:1"}, {name: ome-container, image: "sglang:1"}]
""",
)
