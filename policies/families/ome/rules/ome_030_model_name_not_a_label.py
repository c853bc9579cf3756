"""A model's name can't be that of a volume.

OME mounts the model's path into its pods as a volume of the model's name. Kubernetes takes no dots there and at most 63 characters, so
every service of such a model fails without a word. Write the name with hyphens instead.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.subject.model import read_model
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request

#: Names of volumes are labels of DNS.
_LONGEST: Final = 63


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    if not isinstance(request.object, dict):
        return
    model = read_model(request.object)
    if not text(part(model.spec, "storage"), "path"):
        return
    if "." in model.name:
        message, expected = "pods mount the model as a volume of this name, and names of volumes have no dots", model.name.replace(".", "-")
    elif len(model.name) > _LONGEST:
        message, expected = f"pods mount the model as a volume of this name, which has more than {_LONGEST} characters", ""
    else:
        return
    yield RULE.finding(("metadata", "name"), message, found=model.name, expected=expected)


RULE = Rule(
    id="OME-030",
    name="model-name-not-a-label",
    severity=Severity.ERROR,
    kinds=("BaseModel", "ClusterBaseModel"),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go",
    check=_check,
    good='storage: {storageUri: "hf://acme/llama", path: /models/llama}',
    bad="""\
metadata: {name: llama-3.1}
spec: {storage: {storageUri: "hf://acme/llama", path: /models/llama}}
""",
)
