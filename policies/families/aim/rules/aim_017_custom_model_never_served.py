"""A service describes a custom model that is never served.

Go drops `gpu.requests: 0` when the operator writes the service back. The CRD refuses that update because the model can't change, so the
service is never reconciled. The template of a custom model is unoptimized, so the operator uses it only with
`template.allowUnoptimized: true`. Set that, and leave `gpu` out for a model on CPUs.

Source: aim-engine v0.2.1, internal/aimservice/model.go and selection.go.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, JSONObject, Said, Violation, flag, part, specs, text


@specs.error(
    kinds=("AIMService",),
    about=FAILURE,
    good="accepts-a-described-model-with-unoptimized-templates",
    bad="refuses-a-described-model-without-unoptimized-templates",
)
def check(spec: JSONObject) -> Said:
    custom = part(spec, "model", "custom")
    gpu = part(custom, "hardware", "gpu")
    if gpu.get("requests") == 0:
        yield Violation(
            ("spec", "model", "custom", "hardware", "gpu", "requests"),
            "with 0 GPUs the service is never reconciled: its own update would change the model",
            found="0",
            expected="1 or more",
            hint="leave gpu out for a model on CPUs",
        )
    template = part(spec, "template")
    if custom and not flag(template, "allowUnoptimized") and not text(template, "name"):
        yield Violation(
            ("spec", "template", "allowUnoptimized"),
            "the template of a described model is unoptimized, and isn't chosen",
            expected="true",
            hint="set spec.template.allowUnoptimized: true",
        )
