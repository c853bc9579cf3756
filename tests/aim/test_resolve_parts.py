"""Names of GPUs, paths, sizes, labels, names and environments, as observed from the operators."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.caches.storage import volume_size
from weighbridge.policies.families.aim.predictions.environment import layered
from weighbridge.policies.families.aim.predictions.labels import matches, pattern_of
from weighbridge.policies.families.aim.predictions.names import image_model_name, joined, kaiwo_model_name, runtime_name
from weighbridge.policies.families.aim.predictions.paths.json_path import ChangingPathError, PathTemplateError, UnreadPathError
from weighbridge.policies.families.aim.predictions.paths.path_template import rendered, stray_braces
from weighbridge.policies.families.aim.subject.gpus import cluster_models, device_ids, normalised
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.webhook.inputs.facts import bundled_definitions

SERVICE: JSONObject = {
    "metadata": {
        "name": "chat",
        "namespace": "Testing",
        "labels": {"team": "Data-Team", "org.my/x": "A.B", **{f"l{n}": "l" * 63 for n in range(4)}},
        "annotations": {"path": "Team-A/B", "long": "!" * 201},
    },
    "spec": {"model": {"ref": "Meta/Llama-3-8B"}},
}


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("mi300x", "MI300X"),
        ("MI300X (rev 2)", "MI300X"),
        ("AMD_Instinct_MI300X_OAM", "MI300X"),
        ("AMD_Instinct_MI325_OAM", "MI325"),
        ("NVIDIA-H100-80GB-HBM3", "H100"),
        ("Tesla-T4-SHARED", "T4"),
        ("RTX-4090", "4090"),
        ("RTX4090", "RTX4090"),
        ("MI250X/MI250", "MI250X"),
        ("Radeon RX 7900", "7900"),
        ("AMD-FFFF", "AMD"),
        ("AMD", "AMD"),
        ("AMD Instinct", "AMD"),
        ("AI", "AI"),
        ("  ", ""),
    ],
)
def test_names_of_gpus(name: str, model: str) -> None:
    assert normalised(name, dialect_of(OLD)) == model


@pytest.mark.parametrize(
    ("group", "labels", "models"),
    [
        (NEW, {"amd.com/gpu.device-id": "0x74A1"}, {"MI300X": 192 * 2**30}),
        (NEW, {"beta.amd.com/gpu.device-id": "740f", "amd.com/gpu.vram": "32G"}, {"MI210": 32 * 2**30}),
        (NEW, {"amd.com/gpu.device-id.75a3": "8"}, {"MI355X": 288 * 2**30}),
        (NEW, {"amd.com/gpu.device-id.75a3": "0"}, {}),
        (NEW, {"amd.com/gpu.device-id": "ffff"}, {"AMD-FFFF": 0}),
        (NEW, {"amd.com/gpu.vram": "196608", "amd.com/gpu.family": "AI"}, {"AI": 196608}),
        (NEW, {"amd.com/gpu.product-name": "AMD_Instinct_MI300X"}, {}),
        (NEW, {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}, {}),
        (OLD, {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}, {"H100": 0}),
    ],
)
def test_models_of_a_node(group: str, labels: dict[str, str], models: dict[str, int]) -> None:
    found = from_objects([{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": labels}}], bundled_definitions())
    assert found.inventory is not None
    assert dict(cluster_models(found.inventory, dialect_of(group))) == models


def test_a_model_has_all_its_device_ids() -> None:
    assert device_ids("MI300X") == ["74a1", "74a9", "74b5", "74bd"]
    assert device_ids("H100") == []


@pytest.mark.parametrize(
    ("group", "template", "path"),
    [
        (OLD, "/{.metadata.namespace}/{.metadata.labels['team']}/{.spec.model.ref}/", "/testing/data-team/meta-llama-3-8b"),
        (OLD, "/{.metadata.annotations['path']}", "/team-a/b"),
        (OLD, "/{.metadata.name", "/metadata.name"),
        (NEW, "/{.metadata.name", "/metadata-name"),
        (NEW, "/a b/c%2Fd", "/a-b/c-2fd"),
        (NEW, "/{}", "/"),
        (NEW, "/../x/", "/x"),
        (NEW, "/{.spec.template.name}/{.spec.serviceAccountName}/{.spec.env}/x", "/x"),
        (NEW, "/{.spec.template.allowUnoptimized}", "/false"),
        (OLD, "/{.spec.templateRef}/{.spec.defaultStorageClassName}", "/"),
        (OLD, "/{$.metadata.name}/{@.metadata.name}", "/chat/chat"),
        (OLD, "/{.metadata.labels.org\\.my/x}", "/a.b"),
        (NEW, "/{.metadata.labels['org.my/x']}", "/a-b"),
        (OLD, "{.metadata.annotations['path']}/x", "/team-a/b/x"),
    ],
)
def test_paths(group: str, template: str, path: str) -> None:
    assert rendered(template, SERVICE, dialect_of(group)) == path


@pytest.mark.parametrize(
    "template",
    [
        *("/{.metadata[}", "/{.spec.aimModelName}", " ", "{.spec.templateRef}", "/{ }", "/{metadata.name}"),
        *("/{.metadata['name']}", "/{.metadata.labels.*}", "/{.spec.env[0].name}", "/{.spec.minReplicas}"),
        "/{.metadata.annotations['long']}",
        "".join(f"/{{.metadata.labels.l{n}}}" for n in range(4)),
    ],
)
def test_templates_without_a_path(template: str) -> None:
    with pytest.raises(PathTemplateError):
        rendered(template, SERVICE, dialect_of(OLD))


def test_what_the_server_writes_is_not_known() -> None:
    written = {**SERVICE, "metadata": {**SERVICE["metadata"], "creationTimestamp": "1"}}
    with pytest.raises(UnreadPathError, match=r"^what {\.metadata\.creationTimestamp} is only the server knows$"):
        rendered("/{.metadata.creationTimestamp}", written, dialect_of(OLD))


@pytest.mark.parametrize("field", ["resourceVersion", "generation", "managedFields"])
def test_what_the_server_writes_anew_changes_the_path(field: str) -> None:
    written = {**SERVICE, "metadata": {**SERVICE["metadata"], field: "1"}}
    with pytest.raises(ChangingPathError, match=rf"^{{\.metadata\.{field}}} changes with the service$"):
        rendered(f"/{{.metadata.{field}}}", written, dialect_of(OLD))


@pytest.mark.parametrize(
    ("group", "name", "part"),
    [
        (NEW, "a" * 64, "a" * 63),
        (NEW, f"{'a' * 62}-b", "a" * 62),
        (NEW, f"{'a' * 60}---b", "a" * 60),
        (OLD, f"{'a' * 62}.b", "a" * 62),
        (OLD, f"{'a' * 62}-b", "a" * 62),
        (OLD, f"{'a' * 61}.b", f"{'a' * 61}.b"),
    ],
)
def test_a_part_of_a_path_has_63_characters_and_ends_in_no_dash_or_dot(group: str, name: str, part: str) -> None:
    service = {"metadata": {"name": name, "namespace": "shop"}, "spec": {}}
    assert rendered("/{.metadata.name}", service, dialect_of(group)) == f"/{part}"


def test_braces_that_enclose_nothing() -> None:
    assert stray_braces("/{.metadata.name")
    assert not stray_braces("/{.metadata.name}/x")


@pytest.mark.parametrize(
    ("size", "headroom", "volume"),
    [("16Gi", 10, "18Gi"), ("9094593249", 10, "10Gi"), ("1e10", 25, "12Gi"), ("1Gi", 0, "1Gi"), ("2Ti", 0, "2Ti")],
)
def test_sizes_of_volumes(size: str, headroom: int, volume: str) -> None:
    assert volume_size(Quantity.parse(size), headroom) == volume


@pytest.mark.parametrize(
    ("key", "pattern", "fits"),
    [
        ("plain", "*", True),
        ("a/b", "*", False),
        ("a/b", "*/*", True),
        ("org.my/my-key-1", "org.my/my-key-*", True),
        ("compliance.eu/severity", "compliance.*/severity", True),
        ("team1", "team[0-9]", True),
        ("team1", "team[^0-9]", False),
        ("Team", "team", False),
        ("team-", "team[a\\-c]", True),
        ("team]", "team[\\]]", True),
        ("a", "[b-a]", False),
        ("a", "[^b-a]", True),
        ("a", "[b-az-a-a]", False),
        ("!", "[!a]", True),
    ],
)
def test_label_patterns(key: str, pattern: str, fits: bool) -> None:
    assert matches(key, [pattern]) is fits


@pytest.mark.parametrize("pattern", ["a[", "a[]", "a\\", "[^]", "[a-]", "[-a]", "[a", "[a\\", "[]a]"])
def test_patterns_that_go_refuses_match_nothing(pattern: str) -> None:
    assert pattern_of(pattern) is None
    assert not matches("a", [pattern])


def test_names() -> None:
    assert runtime_name("svc", "rc009") == "svc-10c4b1fd"
    assert image_model_name("ghcr.io/acme/base:1.0") == "base-1-0-f8e98ffd"
    assert kaiwo_model_name("ghcr.io/silogen/llama-3-8b:v1.2.0") == "llama-3-8b-v1-2-0-56d40891"


@pytest.mark.parametrize("image", ["repo@", "repo@sha256", "repo@sha256:", "repo:", "ghcr.io/acme/", "ghcr.io/acme/_:1"])
def test_images_of_which_aim_engine_makes_no_model(image: str) -> None:
    assert image_model_name(image) == ""


@pytest.mark.parametrize(
    ("image", "name"),
    [
        ("ghcr.io/acme/my__model:1.0_-rc", "my-model-1-0-rc"),
        ("ghcr.io/acme/base:1.0@sha256:abcdef0123", "base-1-0-abcdef"),
        ("repo@sha256:abc", "repo-abc"),
    ],
)
def test_names_of_models_have_no_two_dashes_in_a_row(image: str, name: str) -> None:
    assert [made.rpartition("-")[0] for made in (image_model_name(image), kaiwo_model_name(image))] == [name, name]


def test_kaiwo_reads_any_image_and_cuts_the_name_alone() -> None:
    assert kaiwo_model_name("Not A Ref").startswith("not-a-ref-latest-")
    assert kaiwo_model_name("repo@").startswith("repo-notag-")
    assert kaiwo_model_name(f"{'b' * 40}:{'v' * 40}").startswith(f"{'b' * 13}-{'v' * 40}-")


def test_a_part_loses_its_dashes_as_it_is_cut() -> None:
    assert joined("wxyz", "abc-d", suffix="12345678", longest=17) == "wxyz-abc-12345678"


@pytest.mark.parametrize(
    ("lower", "higher", "value"),
    [
        ('{"a": 1.0, "b": {"c": 1, "d": 2}}', '{"b": {"d": null, "e": [1]}}', '{"a":1,"b":{"c":1,"d":null,"e":[1]}}'),
        ('{"a": 9007199254740993}', "{}", '{"a":9007199254740992}'),
        ('{"a": "<&>"}', '{"b": 1}', '{"a":"\\u003c\\u0026\\u003e","b":1}'),
        ("{}", "not json", "not json"),
        ('{"a": 1}', "", '{"a": 1}'),
    ],
)
def test_engine_arguments_are_merged(lower: str, higher: str, value: str) -> None:
    layers = [[{"name": "AIM_ENGINE_ARGS", "value": text}] for text in (lower, higher)]
    assert layered(*layers) == [{"name": "AIM_ENGINE_ARGS", "value": value}]


def test_a_reference_to_engine_arguments_is_lost_beside_a_literal() -> None:
    literal = {"name": "AIM_ENGINE_ARGS", "value": "{}"}
    reference = {"name": "AIM_ENGINE_ARGS", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}}
    assert layered([literal], [reference]) == [literal]
