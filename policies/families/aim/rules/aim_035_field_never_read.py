"""A field that the operator never reads.

kaiwo takes the runtime config `default` for every model, whatever `runtimeConfigName` says, and chooses templates without
`defaultServiceTemplate`. Of a template cache neither operator reads `modelSources`, `downloadImage` and `imagePullSecrets`: the sources
are those of the template.

Source: aim-engine v0.2.1 internal/aimtemplatecache; kaiwo dbca1b55 internal/controller/aim/aimmodel_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.resolve.configuration import DEFAULT
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    if request.gvk.kind == "AIMTemplateCache":
        for name in ("modelSources", "downloadImage", "imagePullSecrets"):
            if spec.get(name):
                yield RULE.finding(
                    ("spec", name), f"{name} of a template cache is never read", hint="set it in the template, and remove it here"
                )
    elif request.gvk.group == OLD:
        name = text(spec, "runtimeConfigName")
        if name not in ("", DEFAULT):
            yield RULE.finding(
                ("spec", "runtimeConfigName"),
                "models take the runtime config default, whatever is named here",
                found=name,
                expected=DEFAULT,
            )
        if text(spec, "defaultServiceTemplate"):
            yield RULE.finding(
                ("spec", "defaultServiceTemplate"),
                "is never read: services choose among all templates",
                hint="name it in the services' templateRef",
            )


RULE = Rule(
    id="AIM-035",
    name="field-never-read",
    severity=Severity.WARNING,
    kinds=(
        "AIMModel",
        "AIMClusterModel",
        "AIMTemplateCache",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimtemplatecache; kaiwo dbca1b55 internal/controller/aim/aimmodel_controller.go",
    check=_check,
    good="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {image: "ghcr.io/acme/other:1.0"}""",
    bad="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {image: "ghcr.io/acme/other:1.0", runtimeConfigName: team}""",
)
