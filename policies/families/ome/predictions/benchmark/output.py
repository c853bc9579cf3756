"""Where a BenchmarkJob's results go, as arguments of genai-bench.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/utils/utils.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.subject.storage_uris import StorageUri, read_uri
from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import JSONObject

#: Schemes that a job can write to; the webhook takes all that can be read.
WRITABLE: Final = ("oci", "pvc", "s3", "az", "gs", "github")
_PARAMETERS: Final = {
    "s3": (("aws_access_key_id", "--storage-aws-access-key-id"),),
}


def output_of(job: JSONObject) -> StorageUri:
    """Where the results go."""
    return read_uri(text(part(spec_of(job), "outputLocation"), "storageUri"))


def output_arguments(job: JSONObject) -> tuple[str, ...] | None:
    """The arguments for the place of the results; `None` where they aren't known."""
    uri = output_of(job)
    bucket = ("--storage-bucket", uri.parts.get("bucket", ""), "--storage-prefix", uri.parts.get("prefix", ""))
    if uri.mistake:
        return None
    if uri.scheme == "oci":
        return ("--upload-results", "--namespace", uri.parts["namespace"], *bucket)
    if uri.scheme == "s3":
        given = text_map(spec_of(job), "outputLocation", "parameters")
        keys = [word for name, argument in _PARAMETERS["s3"] if name in given for word in (argument, given[name])]
        region = ("--storage-aws-region", uri.parts["region"]) if uri.parts["region"] else ()
        return ("--upload-results", "--storage-provider", "aws", *bucket, *keys, *region)
    if uri.scheme == "az":
        where = ("--storage-bucket", uri.parts["container"], "--storage-prefix", uri.parts["prefix"])
        account = ("--storage-azure-account-name", uri.parts["account"])
        return ("--upload-results", "--storage-provider", "azure", *where, *account)
    return None
