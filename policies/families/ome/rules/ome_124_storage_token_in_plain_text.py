"""A token stands in the parameters of a storage, in plain text.

Whoever can read the object can read it, and objects of these kinds are read by many. Put it into a Secret and name that as `storage.key`.

Source: OME v0.1.5 pkg/modelagent/gopher.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import text_map
from policies.findings import Finding, Severity
from policies.request import Request

#: Parameters that are secrets by their name.
_SECRET: Final = ("token", "aws_secret_access_key", "security_token", "azure_account_key", "github_token")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for field in ("storage", "outputLocation", "dataset"):
        for key in text_map(spec_of(request.object), field, "parameters"):
            if key in _SECRET:
                message = f'"{key}" stands in plain text, where all who read the object can read it'
                yield RULE.finding(("spec", field, "parameters", key), message, hint="put it into a Secret, and name that as storage.key")


RULE = Rule(
    id="OME-124",
    name="storage-token-in-plain-text",
    severity=Severity.ERROR,
    kinds=("BaseModel", "ClusterBaseModel", "FineTunedWeight", "BenchmarkJob"),
    since="0.1.0",
    source="OME v0.1.5 pkg/modelagent/gopher.go",
    check=_check,
    good='storage: {storageUri: "hf://acme/llama", path: /models/llama, key: hf-token}',
    bad='storage: {storageUri: "hf://acme/llama", path: /models/llama, parameters: {token: hf_x}}',
)
