"""A secret stands in the manifest.

Whoever may read the object, the InferenceService or the Git repository reads the token. Put it into a Secret, and refer to it with
`valueFrom.secretKeyRef`. A value is taken for a secret by its form (`hf_...`) or by the name of the variable (`..._TOKEN`,
`..._PASSWORD`, `..._API_KEY`).

Source: Kubernetes documentation, Secrets.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.plain_secrets import holds_secret
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    places: list[tuple[Path, list[JSONObject]]] = [(("env",), items(spec, "env")), (("caching", "env"), items(spec, "caching", "env"))]
    places += [(("modelSources", at, "env"), items(source, "env")) for at, source in enumerate(items(spec, "modelSources"))]
    for path, variables in places:
        for index, entry in enumerate(variables):
            name = text(entry, "name")
            if holds_secret(name, text(entry, "value")):
                yield RULE.finding(
                    ("spec", *path, index, "value"),
                    f"{name} holds a secret in plain text; everyone who may read the object can read it",
                    expected="valueFrom.secretKeyRef",
                    hint="put the value into a Secret, refer to it with valueFrom.secretKeyRef, and replace the value that was published",
                )


RULE = Rule(
    id="AIM-071",
    name="secret-in-plain-text",
    severity=Severity.WARNING,
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
    since="0.1.0",
    source="Kubernetes documentation, Secrets",
    check=_check,
    good="""\
model: {name: llama}
env: [{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hub, key: token}}}]""",
    bad="""\
model: {name: llama}
env: [{name: HF_TOKEN, value: not-a-real-token}]""",
)
