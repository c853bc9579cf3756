"""A variable of a template's caches is listed twice.

The CRD of kaiwo doesn't keep the names in `caching.env` apart. The download gets both, and the last one counts.

Source: kaiwo dbca1b55 config/crd/bases/aim.silogen.ai_aimservicetemplates.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, entry in enumerate(items(spec_of(request.object), "caching", "env")):
        name = text(entry, "name")
        if name in seen and request.gvk.group == OLD:
            yield RULE.finding(
                ("spec", "caching", "env", index, "name"),
                f"{name} is listed twice, and the last one counts",
                found=name,
                hint="keep one of them",
            )
        seen.add(name)


RULE = Rule(
    id="AIM-076",
    name="cache-variable-twice",
    severity=Severity.WARNING,
    kinds=("AIMServiceTemplate",),
    since="0.1.0",
    source="kaiwo dbca1b55 config/crd/bases/aim.silogen.ai_aimservicetemplates.yaml",
    check=_check,
    good="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {modelName: llama, caching: {enabled: true, env: [{name: A, value: "1"}, {name: B, value: "2"}]}}""",
    bad="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {modelName: llama, caching: {enabled: true, env: [{name: A, value: "1"}, {name: A, value: "2"}]}}""",
)
