"""A benchmark with images has no dataset.

For texts genai-bench has sonnets of its own; for images it has nothing to send. OME's reference asks for a dataset, and nothing enforces
it.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.benchmark.scenarios import IMAGE_TASKS
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("BenchmarkJob",),
    good="accepts-images-with-a-dataset",
    bad="warns-of-images-without-a-dataset",
)
def check(known_given: Given) -> Said:
    spec = known_given.spec
    task = text(spec, "task")
    if task in IMAGE_TASKS and not isinstance(spec.get("dataset"), dict):
        yield Violation(("spec", "dataset"), f"{task} needs images, and no dataset is given", hint="give dataset.storageUri")
