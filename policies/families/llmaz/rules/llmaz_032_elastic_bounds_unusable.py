"""An elastic Playground has bounds between which nothing can be scaled.

`minReplicas` is at least 1, which it also is where it is left open, and below `maxReplicas`.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.rules._examples import BESIDE
from policies.fields import whole
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    elastic = spec_of(request.object).get("elasticConfig")
    if request.subresource or not isinstance(elastic, dict):
        return
    least, most = whole(elastic, "minReplicas", 1), whole(elastic, "maxReplicas")
    if least < 1:
        yield RULE.finding(("spec", "elasticConfig", "minReplicas"), "at least one replica has to run", found=str(least), expected="1")
    elif least >= most:
        told = f"minReplicas is {least}{'' if 'minReplicas' in elastic else ' where it is left open'}, and maxReplicas has to be more"
        yield RULE.finding(("spec", "elasticConfig", "maxReplicas"), told, found=str(most), expected=str(least + 1))


RULE = Rule(
    id="LLMAZ-032",
    name="elastic-bounds-unusable",
    severity=Severity.ERROR,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/playground_webhook.go",
    mirrors="minReplicas must be less than maxReplicas",
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}\nelasticConfig: {maxReplicas: 2, scaleTrigger: {hpa: {}}}",
    bad="modelClaim: {modelName: opt}\nelasticConfig: {maxReplicas: 1, scaleTrigger: {hpa: {}}}",
)
