"""A service's name is longer than a label.

OME writes the name as a label of the ConfigMap that describes the model. With more than 63 characters Kubernetes refuses that, and nothing
is deployed.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.services import service_of
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    service = service_of(request)
    name = name_of(service) if service is not None else ""
    if len(name) > _LONGEST:
        yield RULE.finding(
            ("metadata", "name"),
            f"it has {len(name)} characters, and labels of what OME makes have at most {_LONGEST}",
            found=name,
            expected=f"{_LONGEST} characters or fewer",
        )


_LONGEST: Final = 63


RULE = Rule(
    id="OME-047",
    name="name-too-long",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig",
    is_about_failure=True,
    beside=SERVED,
    check=_check,
    good="""\
metadata: {name: chat}
spec: {model: {name: llama}, engine: {}}
""",
    bad="""\
metadata: {name: a-name-that-goes-on-and-on-until-no-label-of-kubernetes-takes-it-any-more}
spec: {model: {name: llama}, engine: {}}
""",
)
