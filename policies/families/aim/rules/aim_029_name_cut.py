"""The name of a service is too long for the host name of its pods.

The host is `<InferenceService>-predictor-<namespace>`, of 63 characters at most. aim-engine cuts the service's name and adds a digest of
the namespace, kaiwo a digest of the name: two services whose names begin alike may get one InferenceService, and dashboards show another
name than the author's.

Source: aim-engine v0.2.1 internal/utils/naming.go; kaiwo dbca1b55 internal/controller/aim/shared/names.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.resolve.names import LONGEST
from policies.families.family import Rule
from policies.findings import Finding, Severity
from policies.objects import name_of, namespace_of
from policies.request import Request

#: A hyphen and the digest.
_DIGEST: Final = 9


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    name, namespace = name_of(request.object), request.namespace or namespace_of(request.object)
    room = LONGEST - len("-predictor-") - len(namespace) - (0 if request.gvk.group == OLD else _DIGEST)
    if 0 < room < len(name):
        yield RULE.finding(
            ("metadata", "name"),
            f"the InferenceService gets only the first {room} characters of the name and a digest",
            found=name,
            expected=f"at most {room} characters in namespace {namespace}",
        )


RULE = Rule(
    id="AIM-029",
    name="name-cut",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/utils/naming.go; kaiwo dbca1b55 internal/controller/aim/shared/names.go",
    check=_check,
    good="""\
metadata: {name: short}
spec: {model: {name: llama}}""",
    bad="""\
metadata: {name: llama-3-3-70b-instruct-for-the-support-team}
spec: {model: {name: llama}}""",
)
