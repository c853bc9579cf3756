"""A benchmark with images has no dataset.

genai-bench has its own sonnets to send as text, but no images. OME's reference requires a dataset, but neither the schema nor the webhook
enforces it. Write `dataset.storageUri`. The controller of OME v0.1.5 doesn't read that field yet, and genai-bench then ends at once; use
your own image with the dataset in `podOverride`.

Source: OME v0.1.5, pkg/webhook/admission/benchmark/benchmark_webhook.go and pkg/controller/v1beta1/benchmark/controller.go.
"""

from weighbridge.policies.families.ome.predictions.benchmark.scenarios import IMAGE_TASKS
from weighbridge.policies.families.ome.rulebook import Benchmark, Said, Violation, benchmarks


@benchmarks.warning(good="accepts-images-with-a-dataset", bad="warns-of-images-without-a-dataset")
def check(benchmark: Benchmark) -> Said:
    if benchmark.task in IMAGE_TASKS and not isinstance(benchmark.spec.get("dataset"), dict):
        message = f"{benchmark.task} needs images, and no dataset is given"
        yield Violation(("spec", "dataset"), message, hint="give dataset.storageUri")
