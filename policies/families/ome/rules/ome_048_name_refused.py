"""A service's name begins with a digit or has a dot.

OME's webhook takes small letters, digits and hyphens, with a letter first and no hyphen last.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

import re
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
    if name and not _NAME.fullmatch(name):
        yield RULE.finding(
            ("metadata", "name"),
            "OME's webhook refuses the name",
            found=name,
            expected="small letters, digits and hyphens, with a letter first and no hyphen last",
        )


_NAME: Final = re.compile("[a-z](?:[-a-z0-9]*[a-z0-9])?")


RULE = Rule(
    id="OME-048",
    name="name-refused",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    beside=SERVED,
    check=_check,
    good="""\
metadata: {name: chat}
spec: {model: {name: llama}, engine: {}}
""",
    bad="""\
metadata: {name: 2-chats}
spec: {model: {name: llama}, engine: {}}
""",
)
