"""A secret is in the manifest as plain text.

Everyone who may read the object, the InferenceService or the Git repository can read the token. Put it into a Secret, and refer to it with
`valueFrom.secretKeyRef`. The rule knows a secret by its form (`hf_...`) or by the name of the variable (`..._TOKEN`, `..._PASSWORD`,
`..._API_KEY`).

Source: Kubernetes documentation, Secrets.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.rulebook import Said, Violation, specs
from weighbridge.policies.families.plain_secrets import holds_secret
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, Path


@specs.warning(
    kinds=(
        "AIMService",
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
        "AIMModel",
        "AIMClusterModel",
        "AIMArtifact",
        "AIMModelCache",
        "AIMTemplateCache",
    ),
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-token-in-plain-text",
)
def check(spec: JSONObject) -> Said:
    places: list[tuple[Path, list[JSONObject]]] = [(("env",), items(spec, "env")), (("caching", "env"), items(spec, "caching", "env"))]
    places += [(("modelSources", at, "env"), items(source, "env")) for at, source in enumerate(items(spec, "modelSources"))]
    for path, variables in places:
        for index, entry in enumerate(variables):
            name = text(entry, "name")
            if holds_secret(name, text(entry, "value")):
                yield Violation(
                    ("spec", *path, index, "value"),
                    f"{name} holds a secret in plain text; everyone who may read the object can read it",
                    expected="valueFrom.secretKeyRef",
                    hint="put the value into a Secret, refer to it with valueFrom.secretKeyRef, and replace the value that was published",
                )
