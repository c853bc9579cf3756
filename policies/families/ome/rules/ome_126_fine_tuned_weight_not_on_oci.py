"""A fine-tuned weight isn't on OCI object storage.

When a pod is created, OME reads the weight's URI as one of OCI object storage, whatever its scheme, and panics at any other. So every pod
of a service that uses the weight is refused. Put the weight on OCI object storage.

Source: OME v0.1.5, pkg/webhook/admission/pod/fine_tuned_adapter_injector.go.
"""

from weighbridge.policies.families.ome.rulebook import JSONObject, Said, Violation, part, text, weights
from weighbridge.policies.families.ome.subject.storage_uris import read_uri


@weights.error(good="accepts-a-fine-tuned-weight-by-lora", bad="refuses-a-fine-tuned-weight-in-a-bucket-of-s3")
def check(weight: JSONObject) -> Said:
    uri = read_uri(text(part(weight, "storage"), "storageUri"))
    if not uri.mistake and uri.scheme != "oci":
        message = f"OME reads weights only from oci://, and panics at {uri.scheme}:// when it creates the pods"
        path = ("spec", "storage", "storageUri")
        yield Violation(path, message, found=f"{uri.scheme}://", expected="oci://n/NAMESPACE/b/BUCKET/o/PREFIX")
