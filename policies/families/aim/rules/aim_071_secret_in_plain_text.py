"""The manifest holds a secret in plain text.

Everyone who may read the object, the InferenceService or the Git repository can read the token. Put it into a Secret, and refer to it with
`valueFrom.secretKeyRef`. The rule recognises a secret by its form (`hf_...`) or by the name of the variable (`..._TOKEN`, `..._PASSWORD`,
`..._API_KEY`).

Source: Kubernetes documentation, Secrets.
"""

from collections.abc import Iterator

from weighbridge.policies.families.aim.rulebook import JSONObject, Path, Said, Violation, items, part, specs, text
from weighbridge.policies.families.aim.subject.written import model_sources
from weighbridge.policies.families.plain_secrets import holds_secret


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
        "AIMKVCache",
    ),
    good="accepts-a-variable-from-a-secret",
    bad="warns-of-a-token-in-plain-text",
)
def check(spec: JSONObject) -> Said:
    for path, holder in _holders(spec):
        for index, entry in enumerate(items(holder, "env")):
            name = text(entry, "name")
            if holds_secret(name, text(entry, "value")):
                yield Violation(
                    (*path, "env", index, "value"),
                    f"{name} holds a secret in plain text; everyone who may read the object can read it",
                    expected="valueFrom.secretKeyRef",
                    hint="put the value into a Secret, refer to it with valueFrom.secretKeyRef, and replace the value that was published",
                )


def _holders(spec: JSONObject) -> Iterator[tuple[Path, JSONObject]]:
    """The parts of a spec that may have variables, each with its path."""
    yield ("spec",), spec
    yield from ((("spec", name), part(spec, name)) for name in ("caching", "kvCache"))
    yield from model_sources(spec)
    yield from ((("spec", "customTemplates", index), template) for index, template in enumerate(items(spec, "customTemplates")))
