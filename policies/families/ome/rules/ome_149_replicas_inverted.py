"""A component's least number of replicas is greater than its greatest.

Nothing refuses it: the autoscaler's greatest number becomes the least one, so the service never scales. Where only `minReplicas` is given
OME's webhook fills in 3 for the greatest, and 2 for a router.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.fields import part, whole
from policies.findings import Finding, Severity
from policies.request import Request

#: The components, and the greatest number that the webhook fills in.
_COMPONENTS: Final = {"engine": 3, "decoder": 3, "router": 2}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for name, default in _COMPONENTS.items():
        component = part(spec_of(request.object), name)
        least, most = whole(component, "minReplicas"), whole(component, "maxReplicas") or default
        if least > most:
            message = f"minReplicas is {least} and maxReplicas {most}, so that the service never scales"
            yield RULE.finding(("spec", name, "maxReplicas"), message, found=str(most), expected=f"{least} or more")


RULE = Rule(
    id="OME-149",
    name="replicas-inverted",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/hpa",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {minReplicas: 2, maxReplicas: 4}
""",
    bad="""\
model: {name: llama}
engine: {minReplicas: 4, maxReplicas: 2}
""",
)
