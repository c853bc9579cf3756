"""A fine-tuned weight lies elsewhere than on OCI object storage.

OME reads its URI when pods are made, as OCI whatever the scheme, and panics over others: each pod of a service that uses it is refused.

Source: OME v0.1.5 pkg/webhook/admission/pod/fine_tuned_adapter_injector.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.storage_uris import read_uri
from weighbridge.policies.ground.fields import part, text


@objects.error(
    kinds=("FineTunedWeight",),
    good="accepts-a-fine-tuned-weight-by-lora",
    bad="refuses-a-fine-tuned-weight-in-a-bucket-of-s3",
)
def check(given: Given) -> Said:
    uri = read_uri(text(part(given.spec, "storage"), "storageUri"))
    if uri.scheme and not uri.mistake and uri.scheme != "oci":
        message = f"OME reads weights from oci:// only, and panics over {uri.scheme}:// when it makes the pods"
        yield Violation(
            ("spec", "storage", "storageUri"), message, found=f"{uri.scheme}://", expected="oci://n/NAMESPACE/b/BUCKET/o/PREFIX"
        )
