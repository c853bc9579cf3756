"""The model argument of an engine that fetches its model itself.

A Hugging Face repository becomes OWNER/NAME@REVISION; any other source is passed as it is written, whether the engine can use it or not.
From v0.9.7 to v0.9.12 a repository with a scheme became a URL, which the engines refuse.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.plan import Setup
from weighbridge.policies.families.llmkube.subject import source
from weighbridge.policies.ground.fields import text


def served_source(written: str, operator: KnownOperator) -> str:
    """The model argument for a Model's `source`."""
    if not operator.since(0, 9, 7):
        return written.removeprefix("hf://")
    parsed = source.parse(written, operator)
    if not operator.since(0, 9, 13):
        return source.download_url(parsed, operator)
    if parsed.kind is not source.SourceKind.REPOSITORY or source.repository_problem(written, operator) or written.endswith("@"):
        return written
    return f"{parsed.repository}@{parsed.revision}" if parsed.revision else parsed.repository


def model_argument(setup: Setup) -> tuple[str, str, str]:
    """The model argument of an engine, with its source and reason: the path in the pod, or else the Model's source."""
    path = setup.weights.model_path
    if path:
        return path, setup.of_model("source"), "where the pod finds the weights"
    argument = served_source(text(setup.model_spec, "source"), setup.operator)
    return argument, setup.of_model("source"), "no weights are put into the pod: the engine fetches them itself"
