"""The namespace's name is too long for any service in it.

aim-engine names the InferenceService so that `NAME-predictor-NAMESPACE` fits a host name of 63 characters; of more than 42 characters of
the namespace none are left for it. Every service in there is Degraded.

Source: aim-engine v0.2.1 internal/utils/naming.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import NEW
from policies.families.aim.resolve.names import LONGEST_NAMESPACE
from policies.families.family import Rule
from policies.findings import Finding, Severity
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    namespace = request.namespace or namespace_of(request.object)
    if request.gvk.group == NEW and len(namespace) > LONGEST_NAMESPACE:
        yield RULE.finding(
            ("metadata", "namespace"),
            f"the namespace's name has {len(namespace)} characters, which leaves no room for the name of an InferenceService",
            found=namespace,
            expected=f"at most {LONGEST_NAMESPACE} characters",
        )


RULE = Rule(
    id="AIM-018",
    name="namespace-too-long",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/utils/naming.go",
    mirrors="status Degraded",
    is_about_failure=True,
    check=_check,
    good="model: {name: llama}",
    bad="metadata: {name: example, namespace: a-namespace-of-no-less-than-forty-three-chars}\nspec: {model: {name: llama}}",
)
