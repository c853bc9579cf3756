"""A fine-tuned weight lies elsewhere than on OCI object storage.

OME reads its URI when pods are made, as OCI whatever the scheme, and panics over others: each pod of a service that uses it is refused.

Source: OME v0.1.5 pkg/webhook/admission/pod/fine_tuned_adapter_injector.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.storage_uris import read_uri
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    uri = read_uri(text(part(spec_of(request.object), "storage"), "storageUri"))
    if uri.scheme and not uri.mistake and uri.scheme != "oci":
        message = f"OME reads weights from oci:// only, and panics over {uri.scheme}:// when it makes the pods"
        yield RULE.finding(
            ("spec", "storage", "storageUri"), message, found=f"{uri.scheme}://", expected="oci://n/NAMESPACE/b/BUCKET/o/PREFIX"
        )


RULE = Rule(
    id="OME-126",
    name="fine-tuned-weight-not-on-oci",
    severity=Severity.ERROR,
    kinds=("FineTunedWeight",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/pod/fine_tuned_adapter_injector.go",
    check=_check,
    good="""\
baseModelRef: {name: llama}
modelType: LoRA
hyperParameters: {strategy: lora}
configuration: {}
storage: {storageUri: "oci://n/ns/b/bucket/o/weights"}
""",
    bad="""\
baseModelRef: {name: llama}
modelType: LoRA
hyperParameters: {strategy: lora}
configuration: {}
storage: {storageUri: "hf://acme/weights"}
""",
)
