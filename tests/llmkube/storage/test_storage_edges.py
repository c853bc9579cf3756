"""Edges of a pod's storage that no record shows: other versions, refresh policies, drafts that don't share, claims that are missing."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.storage.draft import Layout, merged
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import storage
from weighbridge.policies.families.upstream_versions import Version
from weighbridge.policies.ground.objects import JSONObject

URL = "https://example.com/a.gguf"
CLAIMS = ("", "PersistentVolumeClaim")
_GROUP = "inference.llmkube.dev/v1alpha1"


def _model(source: str = URL, name: str = "m", **spec: Any) -> JSONObject:
    return {"apiVersion": _GROUP, "kind": "Model", "metadata": {"name": name, "namespace": "ns"}, "spec": {"source": source, **spec}}


def _service(**spec: Any) -> JSONObject:
    metadata = {"name": "svc", "namespace": "ns"}
    return {
        "apiVersion": _GROUP,
        "kind": "InferenceService",
        "metadata": metadata,
        "spec": {"modelRef": "m", "runtime": "llamacpp", **spec},
    }


def _facts(*objects: JSONObject, complete: tuple[tuple[str, str], ...] = ()) -> Facts:
    return from_objects(objects, Definitions(), extent=Extent(complete=frozenset(complete)))


def _command(model: JSONObject, version: Version, **spec: Any) -> str:
    found = storage(model, _service(**spec), KnownOperator(version=version), _facts())
    command = found.init_containers[-1]["command"]
    assert command[:2] == ["sh", "-c"]
    return str(command[2])


@pytest.mark.parametrize(
    ("source", "spec", "word", "since"),
    [
        (URL, {}, '"$MODEL_PATH.tmp"', (0, 9, 15)),
        ("hf://o/n", {"files": ["a"]}, '"$dest.tmp"', (0, 9, 15)),
        ("hf://o/n", {"files": ["a"]}, "find \"$CACHE_DIR\" -name '*.tmp' -delete", (0, 9, 15)),
        ("hf://o/n", {"files": ["a"]}, "${src%%@*}", (0, 9, 7)),
        (URL, {"refreshPolicy": "OnChange"}, "%header{content-length}", (0, 9, 13)),
        ("hf://o/n", {"files": ["a"], "refreshPolicy": "OnChange"}, "%header{content-length}", (0, 9, 13)),
    ],
)
def test_commands_follow_the_version(source: str, spec: JSONObject, word: str, since: Version) -> None:
    major, minor, patch = since
    assert word in _command(_model(source, **spec), since)
    assert word not in _command(_model(source, **spec), (major, minor, patch - 1))


@pytest.mark.parametrize(("version", "word"), [((0, 9, 12), "--etag-compare"), ((0, 9, 13), "remote_size")])
@pytest.mark.parametrize("spec", [{}, {"files": ["a"]}], ids=["one file", "files"])
def test_what_is_refreshed_on_change_is_asked_for_its_age(spec: JSONObject, version: Version, word: str) -> None:
    source = "hf://o/n" if spec else URL
    command = _command(_model(source, refreshPolicy="OnChange", **spec), version)
    assert word in command
    assert subprocess.run(["sh", "-n", "-c", command], check=False).returncode == 0


def test_files_of_a_bucket_are_signed_and_refreshed() -> None:
    model = _model("s3://b/dir", files=["a"], refreshPolicy="OnChange", sourceSecretRef={"name": "s3"})
    found = storage(model, _service(), KnownOperator(), _facts()).init_containers[-1]
    assert found["command"][2].count("--aws-sigv4") == 2
    assert found["envFrom"] == [{"secretRef": {"name": "s3"}}]
    assert {"name": "S3_PREFIX", "value": "dir"} in found["env"]


def test_an_empty_reference_to_a_secret_reaches_the_pod() -> None:
    found = storage(_model(sourceSecretRef={}), _service(), KnownOperator(), _facts()).init_containers[-1]
    assert found["envFrom"] == [{"secretRef": {}}]


@pytest.mark.parametrize(
    ("version", "alone"), [((0, 9, 15), "export CURL_CA_BUNDLE=/custom-certs/"), ((0, 9, 16), "export LLMKUBE_CA_BUNDLE=")]
)
def test_certificates_are_trusted_besides_the_systems_since_v0_9_16(version: Version, alone: str) -> None:
    operator = KnownOperator(version=version, ca_cert_configmap="ca")
    found = storage(_model(), _service(), operator, _facts())
    assert found.init_containers[-1]["command"][2].startswith(alone)
    assert "custom-ca-cert" not in str(found.init_containers[0])


def test_a_cache_that_is_off_leaves_an_empty_dir_and_says_so() -> None:
    operator = KnownOperator(model_cache_path="")
    found = storage(_model(), _service(modelCache={"claimName": "mine"}), operator, _facts())
    assert found.model_path == "/models/ns-m.gguf"
    assert found.volumes == ({"name": "model-storage", "emptyDir": {}},)
    assert found.claims == ()
    assert [event.reason for event in found.events] == ["ModelCacheClaimIgnored"]
    assert "--model-cache-path unset" in found.events[0].note


def test_a_named_cache_that_is_missing_fails_the_service() -> None:
    found = storage(_model(), _service(modelCache={"claimName": "mine"}), KnownOperator(), _facts(complete=(CLAIMS,)))
    assert found.failure == (
        'Failed to ensure model cache PVC: model cache PVC "mine" (spec.modelCache.claimName) not found in namespace "ns": '
        "the claim is user-owned and must be created before use"
    )
    assert [event.reason for event in found.events] == ["ModelCachePVCNotFound"]
    assert found.init_containers == ()


def test_a_size_that_is_none_fails_the_service() -> None:
    assert storage(_model(), _service(), KnownOperator(model_cache_size="much"), _facts()).failure.startswith(
        'Failed to ensure model cache PVC: invalid cache size "much": quantities must match'
    )


def test_a_claim_that_is_there_is_not_made_again() -> None:
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "llmkube-model-cache", "namespace": "ns"}}
    assert storage(_model(), _service(), KnownOperator(), _facts(claim)).claims == ()


@pytest.mark.parametrize(
    ("mode", "asked", "name", "given"),
    [
        ("shared", "ReadWriteMany", "llmkube-model-cache", "ReadWriteMany"),
        ("perService", "ReadWriteMany", "svc-model-cache", "ReadWriteOnce"),
        ("shared", "ReadOnlyMany", "llmkube-model-cache", "ReadWriteOnce"),
    ],
)
def test_only_the_shared_cache_may_be_for_many_nodes(mode: str, asked: str, name: str, given: str) -> None:
    operator = KnownOperator(model_cache_mode=mode, model_cache_access_mode=asked)
    (claim,) = storage(_model(), _service(), operator, _facts()).claims
    assert (claim["metadata"]["name"], claim["spec"]["accessModes"]) == (name, [given])


@pytest.mark.parametrize(
    ("stated", "volume"), [("20Gi", {"sizeLimit": "20Gi"}), ("0.5", {"sizeLimit": "500m"}), ("12.5.5Gi", {}), ("", {})]
)
def test_a_declined_cache_is_as_large_as_the_service_says(stated: str, volume: JSONObject) -> None:
    service = _service(modelCache={"persistence": "Ephemeral"}, resources={"ephemeralStorage": stated})
    assert storage(_model(), service, KnownOperator(), _facts()).volumes == ({"name": "model-storage", "emptyDir": volume},)


def test_the_service_says_whose_files_they_are() -> None:
    service = _service(podSecurityContext={"fsGroup": 7, "runAsUser": 8, "runAsGroup": 9})
    prepared, fetched = storage(_model(), service, KnownOperator(), _facts()).init_containers
    assert prepared["command"][2] == "chown 0:7 /models && chmod g+rwX /models"
    assert (fetched["securityContext"]["runAsUser"], fetched["securityContext"]["runAsGroup"]) == (8, 9)


def test_a_forbidden_local_path_is_never_mounted() -> None:
    found = storage(_model("/etc/passwd") | {"status": {"cacheKey": "0" * 16}}, _service(), KnownOperator(), _facts())
    assert "hostPath" not in str(found.volumes)
    assert "SourceNotAllowed" in found.init_containers[0]["command"][2]


@pytest.mark.parametrize(
    ("runtime", "form", "path"),
    [("vllm", "safetensors", ""), ("sglang", "mlx", ""), ("vllm", "gguf", "/a"), ("llamacpp", "safetensors", "/a")],
)
def test_engines_of_folders_are_given_the_folder(runtime: str, form: str, path: str) -> None:
    model = _model("hf://o/n", files=["a", "b"], format=form)
    found = storage(model, _service(runtime=runtime), KnownOperator(), _facts())
    assert found.model_path == f"/models/{model_key(model)}{path}"


def model_key(model: JSONObject) -> str:
    """The folder that the first init container creates."""
    env = storage(model, _service(), KnownOperator(), _facts()).init_containers[-1]["env"]
    return next(str(variable["value"]) for variable in env if variable["name"] == "CACHE_DIR").removeprefix("/models/")


def test_a_projector_lies_beside_its_model() -> None:
    found = storage(_model("hf://o/n", files=["d/a"], mmproj="mm"), _service(), KnownOperator(), _facts())
    assert found.mmproj_path.rpartition("/")[0] == found.model_path.rpartition("/d/")[0]


def test_a_draft_from_another_claim_gets_a_mount_of_its_own() -> None:
    draft = _model("pvc://drafts/d.gguf", name="d")
    service = _service(speculativeDecoding={"type": "draft", "draftModelRef": "d"})
    found = storage(_model("pvc://weights/a.gguf"), service, KnownOperator(), _facts(draft))
    assert (found.model_path, found.draft_path) == ("/model-source/a.gguf", "/draft/model-source/d.gguf")
    assert [volume["name"] for volume in found.volumes] == ["model-source", "draft-model-source"]
    assert [(mount["name"], mount["mountPath"]) for mount in found.mounts] == [
        ("model-source", "/model-source"),
        ("draft-model-source", "/draft/model-source"),
    ]


def test_drafts_came_with_v0_9_18() -> None:
    service = _service(speculativeDecoding={"type": "draft", "draftModelRef": "d"})
    facts = _facts(_model("pvc://drafts/d.gguf", name="d"))
    assert storage(_model(), service, KnownOperator(version=(0, 9, 17)), facts).draft_path == ""


def test_names_that_are_taken_get_a_number() -> None:
    container = {"name": "model-downloader", "image": "x"}
    target = Layout(init_containers=(container, {"name": "draft-model-downloader", "image": "y"}))
    layout, _ = merged(target, Layout(init_containers=(container | {"image": "z"},)))
    assert [found["name"] for found in layout.init_containers][-1] == "draft-model-downloader-2"


def test_every_value_says_where_it_is_from() -> None:
    operator = KnownOperator(model_cache_mode="perService", origins=(("model_cache_mode", "configuration"),))
    values = {value.field: value for value in storage(_model(), _service(), operator, _facts()).values}
    path = values["spec.template.spec.initContainers[1].env"]
    assert (path.source, path.value) == ("Model m spec.source", f"/models/{model_key(_model())}/m.gguf")
    assert values["spec.template.spec.volumes[0]"].source == "operator --model-cache-mode (configuration)"
    assert values["spec.template.spec.initContainers[0].image"].source == "operator --init-container-image (upstream default)"


@pytest.mark.parametrize(
    "anything", [{}, {"spec": None}, {"metadata": 1, "spec": {"source": 2, "files": 3, "modelCache": [], "runtime": 4}}]
)
def test_any_objects_have_some_storage(anything: Any) -> None:
    found = storage(anything, anything, KnownOperator(), _facts())
    assert isinstance(found.model_path, str)
