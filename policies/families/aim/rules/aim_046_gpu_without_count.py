"""A GPU is described, but none is requested.

Without `gpu.requests`, or with 0, a template needs no GPU: the operator ignores `model` and `minVram`, the template is Ready, and its pods
get no GPU. Set `gpu.requests`.

Source: aim-engine v0.2.1, internal/aimservicetemplate/gpu.go.
"""

from collections.abc import Iterator

from weighbridge.policies.families.aim.rulebook import JSONObject, Path, Said, Violation, items, new_specs, part, whole


@new_specs.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMModel", "AIMClusterModel", "AIMService"),
    good="accepts-a-template-of-another-precision",
    bad="warns-of-a-gpu-model-without-a-number",
)
def check(spec: JSONObject) -> Said:
    for path, gpu in _described(spec):
        described = [name for name in ("model", "minVram") if gpu.get(name) not in (None, "")]
        if described and whole(gpu, "requests") <= 0:
            yield Violation(
                ("spec", *path, "requests"),
                f"{' and '.join(described)} without requests: the pods request no GPU",
                found=str(gpu.get("requests", "")),
                expected="1 or more",
            )


def _described(spec: JSONObject) -> Iterator[tuple[Path, JSONObject]]:
    """Every block that describes a GPU, with its path."""
    for path in (("hardware", "gpu"), ("custom", "hardware", "gpu"), ("model", "custom", "hardware", "gpu")):
        yield path, part(spec, *path)
    shared = whole(part(spec, "custom", "hardware", "gpu"), "requests")
    for index, template in enumerate(items(spec, "customTemplates")):
        # A template takes the fields that it leaves open from the model's hardware.
        if not shared:
            yield ("customTemplates", index, "hardware", "gpu"), part(template, "hardware", "gpu")
