"""The refusals of llmaz's webhooks, word for word: the path of the value, the path that the webhook names, and values that pass."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.llmaz.subject.sources import Source, source_of
from weighbridge.policies.families.llmaz.upstream.webhooks import Topic, excess, objections_of, uri_trouble

LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric "
    "character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
IGNORED = 'spec.source.modelHub.ignorePatterns: Invalid value: []string{"*", "b"}: Once Filename is set, ignorePatterns should be nil'
HUB = {"modelID": "a/b"}
RUNNER = {"name": "model-runner"}
CONTAINERS = "spec.workloadTemplate.workerTemplate.spec.containers"
DRAFTED = {"models": [{"name": "a", "role": "main"}, {"name": "b", "role": "draft"}]}
ONLY_TWO = (
    Topic.DRAFTS,
    "spec.modelClaims.models",
    "spec.modelClaims.models: Forbidden: only two models are allowed in speculativeDecoding mode",
)


def refused(kind: str, spec: dict[str, Any], name: str = "n", *, is_create: bool = True) -> list[tuple[Topic, str, str]]:
    """The topic, the path and the whole text of each objection."""
    found = objections_of({"kind": kind, "metadata": {"name": name}, "spec": spec}, is_create=is_create)
    return [(each.topic, ".".join(map(str, each.path)), str(each)) for each in found]


def service(**spec: Any) -> dict[str, Any]:
    return {"workloadTemplate": {"workerTemplate": {"spec": {"containers": [RUNNER]}}}, **spec}


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("OpenModel", {"source": {"modelHub": HUB}}),
        ("Playground", {"modelClaim": {"modelName": "m"}}),
        ("Service", service()),
    ],
)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", []),
        ("n", []),
        ("1.5b", ["must not contain dots"]),
        ("a_b", [LABEL]),
        ("n" * 63, []),
        ("n" * 64, ["must be no more than 63 characters"]),
    ],
)
def test_names_are_labels_when_they_are_made(kind: str, spec: dict[str, Any], name: str, words: list[str]) -> None:
    expected = [(Topic.NAME, "metadata.name", f'metadata.name: Invalid value: "{name}": {each}') for each in words]
    assert refused(kind, spec, name) == expected
    assert refused(kind, spec, name, is_create=False) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({"modelHub": HUB}, []),
        ({"uri": "s3://bucket/m"}, []),
        ({}, [(Topic.NO_SOURCE, "spec.source", "spec.source: Forbidden: Source can't be all null")]),
        ({"uri": ""}, [(Topic.URI, "spec.source.uri", 'spec.source.uri: Invalid value: "": URI with wrong format')]),
        (
            {"modelHub": HUB, "uri": "x://y"},
            [(Topic.URI, "spec.source.uri", 'spec.source.uri: Invalid value: "x://y": URI with unsupported protocol')],
        ),
        ({"modelHub": {**HUB, "name": "ModelScope"}}, []),
        ({"modelHub": {**HUB, "allowPatterns": ["*"], "ignorePatterns": ["a"]}}, []),
        ({"modelHub": {**HUB, "name": "Huggingface", "filename": "f"}}, []),
        (
            {"modelHub": {**HUB, "name": "ModelScope", "filename": "f", "allowPatterns": [""], "ignorePatterns": ["*", "b"]}},
            [
                (
                    Topic.FILENAME,
                    "spec.source.modelHub.filename",
                    'spec.source.modelHub.filename: Invalid value: "f": Filename can only set once modelHub is Huggingface',
                ),
                (
                    Topic.FILENAME,
                    "spec.source.modelHub.allowPatterns",
                    'spec.source.modelHub.allowPatterns: Invalid value: []string{""}: Once Filename is set, allowPatterns should be nil',
                ),
                (
                    Topic.FILENAME,
                    "spec.source.modelHub.ignorePatterns",
                    IGNORED,
                ),
            ],
        ),
    ],
)
def test_a_model_has_a_source_that_can_be_read(source: dict[str, Any], expected: list[tuple[Topic, str, str]]) -> None:
    assert refused("OpenModel", {"source": source}) == expected


@pytest.mark.parametrize(
    ("uri", "trouble", "scheme"),
    [
        ("s3:bucket", "wrong format", None),
        ("s3://bucket/a://b", "wrong format", "S3"),
        ("://bucket/a", "unsupported protocol", None),
        ("ftp://bucket/a", "unsupported protocol", None),
        ("S3", "wrong format", None),
        ("s3://bucket", "wrong address", "S3"),
        ("s3://bucket/a", "", "S3"),
        ("gcs://bucket", "wrong address", "GCS"),
        ("Gcs://bucket/a", "", "GCS"),
        ("oss://bucket/a.b", "wrong address", "OSS"),
        ("oss://bucket.endpoint", "wrong address", "OSS"),
        ("oss://bucket.endpoint/a", "", "OSS"),
        ("ollama://llama3", "", "OLLAMA"),
        ("host:///models/a", "", "HOST"),
    ],
)
def test_a_uri_names_a_protocol_and_an_address(uri: str, trouble: str, scheme: str | None) -> None:
    assert uri_trouble(uri) == trouble
    model: dict[str, Any] = {"metadata": {"name": "m"}, "spec": {"source": {"uri": uri}}}
    assert source_of(model) == (None if scheme is None else Source(model, scheme, uri.partition("://")[2], uri, {}))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"modelClaims": DRAFTED}, []),
        ({}, [(Topic.CLAIMS, "spec", "spec: Forbidden: modelClaim and modelClaims couldn't be both nil")]),
        (
            {"modelClaim": {}, "modelClaims": {}},
            [(Topic.CLAIMS, "spec", "spec: Forbidden: modelClaim and modelClaims couldn't be both not nil")],
        ),
        ({"modelClaims": {"models": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}}, []),
        ({"modelClaims": {"models": [{"name": "a", "role": "draft"}]}}, [ONLY_TWO]),
        ({"modelClaims": {"models": [*DRAFTED["models"], {"name": "c"}]}}, [ONLY_TWO]),
        ({"modelClaims": {"models": [{"name": "main"}, {"name": "a"}]}}, []),
        (
            # The webhook compares the names instead of the roles.
            {"modelClaims": {"models": [{"name": "main"}, {"name": "main"}]}},
            [(Topic.DRAFTS, "spec.modelClaims.models", "spec.modelClaims.models: Forbidden: only one main model is allowed")],
        ),
    ],
)
def test_a_playground_claims_one_model_or_several(spec: dict[str, Any], expected: list[tuple[Topic, str, str]]) -> None:
    assert refused("Playground", spec) == expected


@pytest.mark.parametrize(
    ("elastic", "expected"),
    [
        ({"maxReplicas": 2}, []),
        ({"minReplicas": 1, "maxReplicas": 2, "scaleTrigger": {"hpa": {}}}, []),
        ({"maxReplicas": 1}, ["scaleTrigger.hpa: Invalid value: 1: minReplicas must be less than maxReplicas"]),
        ({"minReplicas": 3, "maxReplicas": 2}, ["scaleTrigger.hpa: Invalid value: 3: minReplicas must be less than maxReplicas"]),
        ({"minReplicas": 0, "maxReplicas": 1}, ["minReplicas: Forbidden: minReplicas couldn't be 0"]),
        ({"minReplicas": -1, "maxReplicas": 1}, []),
    ],
)
def test_an_elastic_playground_has_room_to_scale(elastic: dict[str, Any], expected: list[str]) -> None:
    found = refused("Playground", {"modelClaim": {}, "elasticConfig": elastic})
    assert [text for _, _, text in found] == [f"spec.elasticConfig.{each}" for each in expected]
    assert {topic for topic, _, _ in found} <= {Topic.ELASTIC}
    ends = ["minReplicas" if "couldn't" in each else "maxReplicas" for each in expected]
    assert [place for _, place, _ in found] == [f"spec.elasticConfig.{end}" for end in ends]


def test_a_trigger_names_an_autoscaler() -> None:
    elastic = {"minReplicas": 1, "maxReplicas": 2, "scaleTrigger": {}}
    words = "spec.backendRuntime.scaleTrigger.hpa: Forbidden: hpa couldn't be nil"
    assert refused("Playground", {"modelClaim": {}, "elasticConfig": elastic}) == [
        (Topic.TRIGGER, "spec.elasticConfig.scaleTrigger", words)
    ]


def test_limits_are_no_less_than_requests() -> None:
    resources = {"limits": {"cpu": "1", "memory": "1Gi", "a": "1", "b": "x"}, "requests": {"cpu": "1001m", "memory": "1Gi", "b": "1"}}
    assert excess(resources) == [("cpu", "1", "1001m")]
    path, words = "spec.backendRuntimeConfig.resources", "Forbidden: limit (1) for cpu must be greater than or equal to request (1001m)"
    playground = {"modelClaim": {}, "backendRuntimeConfig": {"resources": resources}}
    assert refused("Playground", playground) == [(Topic.RESOURCES, f"{path}.limits.cpu", f"{path}: {words}")]
    configs = [{"name": "a"}, {"name": "b", "resources": resources}, {"name": "a"}, {"name": "c"}]
    assert refused("BackendRuntime", {"recommendedConfigs": configs}, "1.5b") == [
        (
            Topic.RESOURCES,
            "spec.recommendedConfigs.1.resources.limits.cpu",
            "spec.resources: Forbidden: resource limit of cpu is less than resource request",
        ),
        (Topic.CONFIG_TWICE, "spec.recommendedConfigs.2.name", "spec.args.name: Forbidden: duplicated name a"),
    ]


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ([("a", "main"), ("b", "draft")], []),
        ([("a", ""), ("b", "draft")], []),
        ([("a", "main"), ("b", "main")], []),
        ([("a", "draft"), ("b", "draft")], ["main model is required"]),
        ([("a", "draft")], ["only two models are allowed in speculativeDecoding mode", "main model is required"]),
        (
            [("a", "main"), ("b", "main"), ("c", "draft")],
            ["only two models are allowed in speculativeDecoding mode", "main model is required"],
        ),
    ],
)
def test_a_service_drafts_with_one_model_for_another(models: list[tuple[str, str]], words: list[str]) -> None:
    claims = {"models": [{"name": name, "role": role} if role else {"name": name} for name, role in models]}
    path = "spec.modelClaims.models"
    assert refused("Service", service(modelClaims=claims)) == [(Topic.DRAFTS, path, f"{path}: Forbidden: {each}") for each in words]


def test_a_new_service_has_the_container_that_serves() -> None:
    expected = [(Topic.RUNNER, CONTAINERS, f"{CONTAINERS}: Forbidden: model-runner container doesn't exist")]
    for containers in ([], [{"name": "engine"}]):
        spec = {"workloadTemplate": {"workerTemplate": {"spec": {"containers": containers}}}}
        assert refused("Service", spec) == expected
        assert refused("Service", spec, is_create=False) == []
    assert refused("ConfigMap", {}) == []


def test_a_name_is_objected_to_after_the_spec() -> None:
    source = {"source": {"uri": "x"}}
    assert [topic for topic, _, _ in refused("OpenModel", source, "a_b")] == [Topic.URI, Topic.NAME]
    assert [topic for topic, _, _ in refused("Playground", {}, "a_b")] == [Topic.CLAIMS, Topic.NAME]
    drafts = {"modelClaims": {"models": [{"name": "a", "role": "draft"}]}}
    assert [topic for topic, _, _ in refused("Service", drafts, "a_b")] == [Topic.DRAFTS, Topic.DRAFTS, Topic.NAME, Topic.RUNNER]
