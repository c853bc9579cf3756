"""Storage URIs with their parts, numbers of parameters, versions, command lines and labels of nodes, each as OME reads it."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.ome.predictions.benchmark.output import output_arguments
from weighbridge.policies.families.ome.predictions.benchmark.scenarios import is_accepted, is_scenario
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.ome.subject.model_versions import matches
from weighbridge.policies.families.ome.subject.parallelism import gpus_of, world_of
from weighbridge.policies.families.ome.subject.ready_labels import ready_label
from weighbridge.policies.families.ome.subject.sizes import parse_float, parse_size, size_or_zero
from weighbridge.policies.families.ome.subject.storage_uris import StorageUri, read_uri
from weighbridge.policies.ground.objects import JSONObject

_OCI = "it must read oci://n/NAMESPACE/b/BUCKET/o/PREFIX"
_PVC = "it must read pvc://CLAIM/PATH or pvc://NAMESPACE:CLAIM/PATH"
_VENDOR = "it must read vendor://VENDOR/TYPE/PATH"
_S3 = "it must read s3://BUCKET/PREFIX or s3://BUCKET@REGION/PREFIX"
_AZ = "it must read az://ACCOUNT/CONTAINER/PATH"
_GITHUB = "it must read github://OWNER/REPOSITORY or github://OWNER/REPOSITORY@TAG"
_SCHEMES = "its scheme is none of oci://, pvc://, vendor://, hf://, s3://, az://, gs://, github://, local://"


@pytest.mark.parametrize(
    ("uri", "parts"),
    [
        ("oci://n/ns/b/bucket/o/a/b", {"namespace": "ns", "bucket": "bucket", "prefix": "a/b"}),
        ("oci://n/ns/b/bucket/o/", {"namespace": "ns", "bucket": "bucket", "prefix": ""}),
        ("pvc://claim/a/b", {"claim": "claim", "path": "a/b"}),
        ("pvc://team:claim/a", {"namespace": "team", "claim": "claim", "path": "a"}),
        (f"pvc://{'n' * 63}:claim/a", {"namespace": "n" * 63, "claim": "claim", "path": "a"}),
        ("vendor://acme/chat/a/b", {"vendor": "acme", "type": "chat", "path": "a/b"}),
        ("hf://acme/llama", {"model": "acme/llama", "branch": "main"}),
        ("hf://acme/llama@v1", {"model": "acme/llama", "branch": "v1"}),
        ("hf://acme/llama@", {"model": "acme/llama", "branch": ""}),
        ("s3://bucket/a/b", {"bucket": "bucket", "prefix": "a/b", "region": ""}),
        ("s3://bucket", {"bucket": "bucket", "prefix": "", "region": ""}),
        ("s3://bucket@eu-1/a/b", {"bucket": "bucket", "prefix": "a/b", "region": "eu-1"}),
        ("s3://bucket/a@b/c", {"bucket": "bucket/a", "prefix": "c", "region": "b"}),
        ("az://account/box/a/b", {"account": "account", "container": "box", "prefix": "a/b"}),
        ("az://account.blob.core.windows.net/box", {"account": "account", "container": "box", "prefix": ""}),
        ("az://a/b.blob.core.windows.net/box/c", {"account": "a/b", "container": "box", "prefix": "c"}),
        ("gs://bucket/a/b", {"bucket": "bucket", "prefix": "a/b"}),
        ("gs://bucket", {"bucket": "bucket", "prefix": ""}),
        ("github://acme/llama", {"owner": "acme", "repository": "llama", "tag": "latest"}),
        ("github://acme/llama@v1", {"owner": "acme", "repository": "llama", "tag": "v1"}),
        ("local:///models/a", {"path": "/models/a"}),
    ],
)
def test_a_uri_has_the_parts_of_its_scheme(uri: str, parts: dict[str, str]) -> None:
    assert read_uri(uri) == StorageUri(uri.partition(":")[0], parts)


@pytest.mark.parametrize(
    ("uri", "scheme", "mistake"),
    [
        ("", "", _SCHEMES),
        ("bucket/a", "", _SCHEMES),
        ("HF://a", "", _SCHEMES),
        ("oci://n/ns/b/bucket/o", "oci", _OCI),
        ("oci://x/ns/b/bucket/o/a", "oci", _OCI),
        ("oci://n/ns/x/bucket/o/a", "oci", _OCI),
        ("oci://n/ns/b/bucket/x/a", "oci", _OCI),
        ("pvc://claim", "pvc", _PVC),
        ("pvc://claim/", "pvc", _PVC),
        ("pvc:///a", "pvc", _PVC),
        ("pvc://team:/a", "pvc", "it must have one colon, between the namespace and the claim"),
        ("pvc://team:claim:x/a", "pvc", "it must have one colon, between the namespace and the claim"),
        ("pvc://Team:claim/a", "pvc", '"Team" isn\'t a namespace'),
        (f"pvc://{'n' * 64}:claim/a", "pvc", f'"{"n" * 64}" isn\'t a namespace'),
        ("vendor://acme/chat", "vendor", _VENDOR),
        ("vendor://acme//a", "vendor", _VENDOR),
        ("hf://", "hf", "it must read hf://MODEL or hf://MODEL@BRANCH"),
        ("hf://@main", "hf", "it must read hf://MODEL or hf://MODEL@BRANCH"),
        ("s3://", "s3", _S3),
        ("s3://@eu-1/a", "s3", _S3),
        ("az://account", "az", _AZ),
        ("az:///box", "az", _AZ),
        ("az://account//a", "az", _AZ),
        ("gs://", "gs", "it must read gs://BUCKET/OBJECT"),
        ("gs:///a", "gs", "it must read gs://BUCKET/OBJECT"),
        ("github://acme", "github", _GITHUB),
        ("github://acme/@v1", "github", _GITHUB),
        ("github:///llama", "github", _GITHUB),
        ("local://", "local", "it must name a path"),
    ],
)
def test_a_uri_that_cannot_be_read_says_what_its_scheme_wants(uri: str, scheme: str, mistake: str) -> None:
    assert read_uri(uri) == StorageUri(scheme, mistake=mistake)


@pytest.mark.parametrize(
    ("output", "arguments"),
    [
        ({"storageUri": "oci://n/ns/b/x/o/y"}, "--upload-results --namespace ns --storage-bucket x --storage-prefix y"),
        ({"storageUri": "s3://x/y"}, "--upload-results --storage-provider aws --storage-bucket x --storage-prefix y"),
        (
            {"storageUri": "s3://x@r/y", "parameters": {"aws_access_key_id": "k", "z": "1"}},
            (
                "--upload-results --storage-provider aws --storage-bucket x --storage-prefix y"
                " --storage-aws-access-key-id k --storage-aws-region r"
            ),
        ),
        (
            {"storageUri": "az://a/c/p"},
            "--upload-results --storage-provider azure --storage-bucket c --storage-prefix p --storage-azure-account-name a",
        ),
        (
            {
                "storageUri": "oci://n/ns/b/x/o/",
                "parameters": {"region": "r", "auth": "a", "config_file": "c", "profile": "p", "security_token": "s"},
            },
            (
                "--upload-results --namespace ns --storage-bucket x --storage-prefix  --auth a --config-file c --profile p"
                " --security-token s --region r"
            ),
        ),
        ({"storageUri": "pvc://team:claim/a/b", "parameters": {"auth": "a"}}, "--experiment-base-dir /a/b"),
        (
            {"storageUri": "s3://x@r", "parameters": {"aws_profile": "p", "aws_secret_access_key": "s", "aws_region": "own"}},
            (
                "--upload-results --storage-provider aws --storage-bucket x --storage-aws-secret-access-key s --storage-aws-profile p"
                " --storage-aws-region own"
            ),
        ),
        ({"storageUri": "s3://x@/y"}, "--upload-results --storage-provider aws --storage-bucket x --storage-prefix y"),
        (
            {"storageUri": "s3://x@r", "parameters": {"aws_region": ""}},
            "--upload-results --storage-provider aws --storage-bucket x --storage-aws-region ",
        ),
        (
            {
                "storageUri": "az://a.blob.core.windows.net/c",
                "parameters": {
                    "azure_sas_token": "s",
                    "azure_connection_string": "c",
                    "azure_account_key": "k",
                    "azure_account_name": "own",
                },
            },
            (
                "--upload-results --storage-provider azure --storage-bucket c --storage-azure-account-name own"
                " --storage-azure-account-key k --storage-azure-connection-string c --storage-azure-sas-token s"
            ),
        ),
        (
            {"storageUri": "gs://x/y", "parameters": {"gcp_credentials_path": "/c", "gcp_project_id": "p"}},
            (
                "--upload-results --storage-provider gcp --storage-bucket x --storage-prefix y --storage-gcp-project-id p"
                " --storage-gcp-credentials-path /c"
            ),
        ),
        ({"storageUri": "gs://x"}, "--upload-results --storage-provider gcp --storage-bucket x"),
        (
            {"storageUri": "github://o/r", "parameters": {"github_token": "t"}},
            "--upload-results --storage-provider github --github-owner o --github-repo r --github-token t",
        ),
        ({"storageUri": "github://o/r@"}, "--upload-results --storage-provider github --github-owner o --github-repo r --github-tag "),
        ({"storageUri": "vendor://a/b/c"}, None),
        ({"storageUri": "oci://x"}, None),
    ],
)
def test_a_place_of_results_becomes_arguments(output: JSONObject, arguments: str | None) -> None:
    found = output_arguments({"spec": {"outputLocation": output}})
    assert (" ".join(found) if found is not None else None) == arguments


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8B", 8e9),
        ("1.5T", 1.5e12),
        ("500M", 5e8),
        ("7", 7.0),
        ("-2B", -2e9),
        ("1_000M", 1e9),
        (".5B", 5e8),
        ("5.B", 5e9),
        ("1e3", 1000.0),
        ("1E+3B", 1e12),
        ("0x1p4", 16.0),
        ("0x1.8p1B", 3e9),
        ("-0X_ap0", -10.0),
        ("8b", None),
        ("8 B", None),
        ("B", None),
        ("", None),
        ("1__0", None),
        ("_1", None),
        ("1e", None),
        ("0x1", None),
        ("1e999", None),
        ("0x1p99999", None),
    ],
)
def test_a_number_of_parameters_is_read_as_go_reads_it(text: str, size: float | None) -> None:
    assert parse_size(text) == size
    assert size_or_zero(text) == (size or 0)


@pytest.mark.parametrize(("text", "number"), [("inf", float("inf")), ("-Infinity", float("-inf")), ("+INF", float("inf")), ("infi", None)])
def test_go_reads_words_for_infinity(text: str, number: float | None) -> None:
    assert parse_float(text) == number


@pytest.mark.parametrize(
    ("of_runtime", "of_model", "operator", "fits"),
    [
        ("1.2.3", "1.2.3", "Equal", True),
        ("1.2.3", "1.2.4", "Equal", False),
        ("1", "1.0.0", "Equal", True),
        ("v1.2", "1.2.0", "Equal", True),
        ("1.2.3", "1.2.3", "GreaterThan", False),
        ("1.2.4", "1.2.3", "GreaterThan", True),
        ("1.2.3", "1.2.3", "GreaterThanOrEqual", True),
        ("1.2.2", "1.2.3", "GreaterThanOrEqual", False),
        ("2", "1.2.3", "GreaterThan", False),
        ("v2.0.0", "1.2.3", "GreaterThan", False),
        ("2.0.0-rc1", "1.2.3", "GreaterThan", False),
        ("1.2.3-rc1", "1.2.3-rc1", "GreaterThan", True),
        ("1.2.3+a", "1.2.3-a", "Equal", False),
        ("1.2.3", "1.2.3", "AtLeast", True),
        ("1.2.4", "1.2.3", "AtLeast", False),
        ("01.2.3", "01.2.3", "Equal", False),
        ("18446744073709551616.0.0", "18446744073709551616.0.0", "Equal", False),
        ("1.2", "1.2.x", "Equal", False),
    ],
)
def test_a_runtime_s_version_is_compared_with_the_model_s(of_runtime: str, of_model: str, operator: str, fits: bool) -> None:
    assert matches(of_runtime, of_model, operator) is fits


@pytest.mark.parametrize(
    ("words", "gpus", "told"),
    [
        (["--tp", "2"], 2, "--tp 2"),
        (["--tp-size=4", "--pp-size", "2"], 8, "--tp-size 4 with --pp-size 2"),
        (["--pipeline-parallel-size", "3"], 3, "--pipeline-parallel-size 3"),
        (["--tp", "2", "--tensor-parallel-size=8"], 8, "--tensor-parallel-size 8"),
        (["--tp", "0"], None, None),
        (["--tp", "1"], 1, "--tp 1"),
        (["2", "--tp"], None, None),
        (["--tp=", "4"], None, None),
        (["--tp", "two"], None, None),
        (["--tp", "2", "--nnodes", "2"], None, None),
        (["--tp", "2", "--dp=2"], None, None),
        ([], None, None),
    ],
)
def test_a_command_line_takes_as_many_gpus_as_its_sizes_multiply_to(words: list[str], gpus: int | None, told: str | None) -> None:
    for container in ({"args": words}, {"command": words}):
        found = world_of(container)
        assert (found and found.gpus, found and found.words) == (gpus, told)


@pytest.mark.parametrize(
    ("resources", "found"),
    [
        ({"limits": {"nvidia.com/gpu": "2"}}, ("nvidia.com/gpu", 2)),
        ({"requests": {"amd.com/gpu": 1}}, ("amd.com/gpu", 1)),
        ({"requests": {"nvidia.com/gpu": 1}, "limits": {"nvidia.com/gpu": 3}}, ("nvidia.com/gpu", 3)),
        ({"limits": {"cpu": "2"}}, None),
    ],
)
def test_a_container_asks_for_the_gpus_of_its_limits(resources: Any, found: tuple[str, int] | None) -> None:
    assert gpus_of({"resources": resources}) == found


@pytest.mark.parametrize(
    ("namespace", "name", "kept"),
    [
        ("", "m" * 32, "clusterbasemodel." + "m" * 32),
        ("team-a", "k" * 32, "team-a.basemodel." + "k" * 32),
        ("n" * 30, "k" * 8, f"{'n' * 30}.basemodel.{'k' * 8}"),
    ],
)
def test_a_label_that_just_fits_is_whole(namespace: str, name: str, kept: str) -> None:
    assert ready_label(namespace, name) == f"models.ome.io/{kept}"


@pytest.mark.parametrize(("namespace", "name", "end"), [("", "m" * 33, 23), ("team-a", "k" * 33, 23), ("n" * 8, "k" * 31, 21)])
def test_a_label_with_one_character_more_is_cut(namespace: str, name: str, end: int) -> None:
    assert ready_label(namespace, name).rpartition("-")[2] == name[:end]


@pytest.mark.parametrize(
    ("task", "scenario", "reads", "accepts"),
    [
        ("text-to-text", "D(1,2)", True, True),
        ("text-to-text", "N(1,2)/(3,4)", True, True),
        ("text-to-text", "U(1,2)", True, True),
        ("text-to-text", "junkD(1,2)", False, True),
        ("text-to-text", "N(1,2)/(3,4)junk", False, True),
        ("text-to-text", "E(1)", False, False),
        ("text-to-embeddings", "E(1)", True, False),
        ("text-to-embeddings", "E(1,2)", True, True),
        ("image-to-text", "I(1,2)", True, True),
        ("image-to-text", "I(1,2,3)x", False, False),
        ("image-to-embeddings", "I(1,2,3)", True, True),
        ("another", "anything", True, True),
    ],
)
def test_a_scenario_is_read_and_accepted_by_its_task(task: str, scenario: str, reads: bool, accepts: bool) -> None:
    assert (is_scenario(task, scenario), is_accepted(task, scenario)) == (reads, accepts)


def test_leader_and_worker_of_a_component_have_pods_of_their_own() -> None:
    pod = {"runner": {"name": "r"}, "containers": [{"name": "c"}], "initContainers": [{"name": "i"}]}
    spec: JSONObject = {"engine": {**pod, "leader": pod, "worker": {}}, "decoderConfig": {"worker": pod}, "routerConfig": None}
    places = [path for _, path in pod_parts({"spec": spec})]
    roles = [("spec", "engine"), ("spec", "engine", "leader"), ("spec", "engine", "worker")]
    assert places == [*roles, ("spec", "decoderConfig"), ("spec", "decoderConfig", "worker")]
    assert [(found.name, found.path, found.is_runner) for found in containers_of(pod, ("spec", "engine"))] == [
        ("r", ("spec", "engine", "runner"), True),
        ("c", ("spec", "engine", "containers", 0), False),
        ("i", ("spec", "engine", "initContainers", 0), False),
    ]
