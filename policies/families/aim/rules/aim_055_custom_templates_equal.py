"""Two custom templates of a model don't differ in anything that services choose by.

The operator creates a template from each. If they don't differ in type, GPU, metric or precision, a service of the model gets neither
unless it names one. Change one of the two, or remove it.

Source: aim-engine v0.2.1, internal/aimmodel and internal/aimservice/selection.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, part, specs, text


@specs.warning(kinds=("AIMModel", "AIMClusterModel"), good="accepts-custom-templates-that-differ", bad="warns-of-equal-custom-templates")
def check(spec: JSONObject) -> Said:
    shared = text(part(spec, "custom", "hardware", "gpu"), "model")
    seen: dict[tuple[str, ...], int] = {}
    for index, template in enumerate(items(spec, "customTemplates")):
        profile, gpu = part(template, "profile"), text(part(template, "hardware", "gpu"), "model") or shared
        kind = text(template, "type") or text(part(spec, "custom"), "type")
        rank = (kind, gpu.strip().upper(), text(profile, "metric"), text(profile, "precision"))
        first = seen.setdefault(rank, index)
        if first != index:
            yield Violation(
                ("spec", "customTemplates", index),
                f"has the type, GPU, metric and precision of customTemplates[{first}]: services of the model find neither",
                hint="give it another metric, precision or GPU, or remove it",
            )
