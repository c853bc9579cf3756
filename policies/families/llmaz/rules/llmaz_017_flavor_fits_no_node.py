"""No node of the cluster could serve a flavor.

A node has to have all limits and all labels of the flavor, and no taint but those for which pods get tolerations. Models may be there
before their nodes, so this warns.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.fitting import fits_of
from policies.families.llmaz.rules._examples import BESIDE, NODE_READS
from policies.families.llmaz.subject.flavors import flavors_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    flavors = flavors_of(request.object if isinstance(request.object, dict) else None)
    for fit in fits_of(flavors, facts, config):
        if fit.fits or fit.is_unknown or fit.may_come:
            continue
        message = f"no node could serve flavor {fit.flavor.name}: {fit.reason}"
        yield RULE.finding(fit.flavor.path, message, found=fit.flavor.name, nearest=fit.nearest)


RULE = Rule(
    id="LLMAZ-017",
    name="flavor-fits-no-node",
    severity=Severity.WARNING,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    reads=NODE_READS,
    beside=BESIDE,
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {nvidia.com/gpu: 1}}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: b200, limits: {nvidia.com/gpu: 16}}]}""",
)
