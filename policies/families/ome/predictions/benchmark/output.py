"""The place of a BenchmarkJob's results, as arguments of genai-bench.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/utils/utils.go, BuildStorageArgs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.subject.storage_uris import StorageUri, read_uri
from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import JSONObject

_UPLOAD: Final = "--upload-results"
_LATEST: Final = "latest"
#: For each scheme the parameters that become arguments, in their order.
_OCI: Final = {
    "auth": "--auth",
    "config_file": "--config-file",
    "profile": "--profile",
    "security_token": "--security-token",
    "region": "--region",
}
_S3: Final = {
    "aws_access_key_id": "--storage-aws-access-key-id",
    "aws_secret_access_key": "--storage-aws-secret-access-key",
    "aws_profile": "--storage-aws-profile",
}
_AZURE: Final = {
    "azure_account_key": "--storage-azure-account-key",
    "azure_connection_string": "--storage-azure-connection-string",
    "azure_sas_token": "--storage-azure-sas-token",
}
_GOOGLE: Final = {"gcp_project_id": "--storage-gcp-project-id", "gcp_credentials_path": "--storage-gcp-credentials-path"}
_GITHUB: Final = {"github_token": "--github-token"}


def output_of(job: JSONObject) -> StorageUri:
    """The storage of the results, as OME reads its URI."""
    return read_uri(text(part(spec_of(job), "outputLocation"), "storageUri"))


def output_arguments(job: JSONObject) -> tuple[str, ...] | None:
    """The arguments that say where the results are written; `None` if OME can't write there."""
    uri = output_of(job)
    write = _WRITERS.get(uri.scheme)
    if uri.mistake or write is None:
        return None
    return tuple(write(uri.parts, text_map(spec_of(job), "outputLocation", "parameters")))


def _given(parameters: Mapping[str, str], flags: Mapping[str, str]) -> list[str]:
    """The given parameters, even empty ones."""
    return [word for name, argument in flags.items() if name in parameters for word in (argument, parameters[name])]


def _provider(name: str, bucket: str, prefix: str) -> list[str]:
    return [_UPLOAD, "--storage-provider", name, "--storage-bucket", bucket, *(("--storage-prefix", prefix) if prefix else ())]


def _oci(parts: Mapping[str, str], parameters: Mapping[str, str]) -> list[str]:
    bucket = ("--storage-bucket", parts["bucket"], "--storage-prefix", parts["prefix"])
    return [_UPLOAD, "--namespace", parts["namespace"], *bucket, *_given(parameters, _OCI)]


def _pvc(parts: Mapping[str, str], parameters: Mapping[str, str]) -> list[str]:
    return ["--experiment-base-dir", f"/{parts['path']}"]


def _s3(parts: Mapping[str, str], parameters: Mapping[str, str]) -> list[str]:
    own = parts["region"]
    region = parameters.get("aws_region", own or None)
    where = () if region is None else ("--storage-aws-region", region)
    return [*_provider("aws", parts["bucket"], parts["prefix"]), *_given(parameters, _S3), *where]


def _azure(parts: Mapping[str, str], parameters: Mapping[str, str]) -> list[str]:
    account = ("--storage-azure-account-name", parameters.get("azure_account_name", parts["account"]))
    return [*_provider("azure", parts["container"], parts["prefix"]), *account, *_given(parameters, _AZURE)]


def _google(parts: Mapping[str, str], parameters: Mapping[str, str]) -> list[str]:
    return [*_provider("gcp", parts["bucket"], parts["prefix"]), *_given(parameters, _GOOGLE)]


def _github(parts: Mapping[str, str], parameters: Mapping[str, str]) -> list[str]:
    where = ["--github-owner", parts["owner"], "--github-repo", parts["repository"]]
    tag = [] if parts["tag"] == _LATEST else ["--github-tag", parts["tag"]]
    return [_UPLOAD, "--storage-provider", "github", *where, *tag, *_given(parameters, _GITHUB)]


_Writer = Callable[[Mapping[str, str], Mapping[str, str]], list[str]]
_WRITERS: Final[Mapping[str, _Writer]] = {"oci": _oci, "pvc": _pvc, "s3": _s3, "az": _azure, "gs": _google, "github": _github}
#: Schemes to which a job can write; the webhook accepts all that OME can read.
WRITABLE: Final = tuple(_WRITERS)
