"""Names at their greatest length, parts of label patterns, and the messages that refuse a path template."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.caches.storage import artifact_name, volume_size
from weighbridge.policies.families.aim.predictions.derived import derived
from weighbridge.policies.families.aim.predictions.labels import kaiwo_label, label_value, matches
from weighbridge.policies.families.aim.predictions.names import (
    custom_model_name,
    derived_template,
    image_model_name,
    kaiwo_model_name,
    kaiwo_runtime_name,
    runtime_name,
)
from weighbridge.policies.families.aim.predictions.paths.json_path import ChangingPathError, PathTemplateError, UnreadPathError
from weighbridge.policies.families.aim.predictions.paths.path_template import expressions, rendered, stray_braces
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.webhook.inputs.facts import bundled_definitions

SERVICE: JSONObject = {
    "metadata": {"name": "chat", "namespace": "shop", "labels": {"team": "a"}, "annotations": {"long": "x" * 197}},
    "spec": {
        "model": {"ref": "llama"},
        "env": [{"name": "A"}, {"name": "B"}],
        "replicas": 2,
        "imagePullSecrets": [{"name": "x"}],
        "resources": {"limits": {"cpu": "1"}},
        "labelPropagation": {"match": ["a"]},
    },
}


@pytest.mark.parametrize(("length", "kept"), [(39, 39), (40, 39), (63, 39)])
def test_the_predictor_s_host_name_has_63_characters_at_most(length: int, kept: int) -> None:
    name = runtime_name("s" * length, "shop")
    assert name.rpartition("-")[0] == "s" * kept
    assert len(f"{name}-predictor-shop") <= 63


@pytest.mark.parametrize(("length", "kept"), [(50, 50), (51, 50), (63, 50)])
def test_a_template_that_kaiwo_derives_has_63_characters_at_most(length: int, kept: int) -> None:
    base = {"metadata": {"name": "t" * length}, "spec": {"modelName": "llama"}}
    template, is_new = derived(base, {"overrides": {"metric": "latency"}}, dialect_of(OLD), "shop", from_objects([], bundled_definitions()))
    name = name_of(template)
    assert is_new
    assert name.rpartition("-ovr-")[0] == "t" * kept
    assert len(name) == kept + 13


def test_a_derived_name_that_is_cut_at_a_dash_loses_the_dash() -> None:
    base = {"metadata": {"name": f"{'t' * 49}-{'t' * 9}"}, "spec": {}}
    template, _ = derived(base, {"overrides": {"metric": "latency"}}, dialect_of(OLD), "shop", from_objects([], bundled_definitions()))
    assert name_of(template).rpartition("-ovr-")[0] == "t" * 49


@pytest.mark.parametrize(("length", "kept"), [(52, 52), (53, 52)])
def test_a_model_that_kaiwo_makes_of_an_image_has_63_characters_at_most(length: int, kept: int) -> None:
    name = kaiwo_model_name(f"{'i' * length}:1")
    assert name.rpartition("-")[0] == f"{'i' * kept}-1"
    assert len(name) == kept + 11 <= 63


def test_a_tag_that_leaves_no_room_leaves_one_letter_of_the_name() -> None:
    assert kaiwo_model_name(f"image:{'1' * 60}").startswith(f"i-{'1' * 60}-")


def test_an_image_without_a_name_makes_a_model_of_kaiwo_s_all_the_same() -> None:
    assert kaiwo_model_name("repo/:1").startswith("model-1-")
    assert kaiwo_model_name("repo/x:").startswith("x-notag-")
    assert kaiwo_model_name("repo/x").startswith("x-latest-")
    assert image_model_name("repo/x").startswith("x-latest-")


def test_the_longest_part_of_a_name_is_cut_first() -> None:
    name = derived_template("b" * 60, [("metric", "latency")], ["latency"])
    assert name.rpartition("-")[0] == f"{'b' * 46}-ovr-latency"
    assert len(name) == 63


def test_a_model_of_sources_is_named_by_the_first_and_a_digest_of_all() -> None:
    one = custom_model_name("base:1", [("Acme/Llama", "hf://acme/llama", "")])
    assert one.rpartition("-")[0] == "acme-llama"
    assert one != custom_model_name("base:1", [("Acme/Llama", "hf://acme/llama", "http://store")])
    assert one != custom_model_name("base:1", [("Acme/Llama", "hf://acme/llama", ""), ("b", "hf://b", "")])
    assert custom_model_name("base:1", []).rpartition("-")[0] == "part"


def test_an_artifact_s_name_has_63_characters_at_most() -> None:
    name = artifact_name(f"hf://{'m' * 60}", [], "")
    assert name.rpartition("-")[0] == f"hf---{'m' * 47}"
    assert len(name) == 63
    assert artifact_name("-hf://Ä/x-", [], "").rpartition("-")[0] == "hf-----x"


@pytest.mark.parametrize(
    ("size", "headroom", "volume"),
    [
        (2**30, 0, "1Gi"),
        (2**30 + 1, 0, "2Gi"),
        (2**30 - 1, 0, "1Gi"),
        (10 * 2**30, 10, "11Gi"),
        (10 * 2**30, 11, "12Gi"),
        (2**40, 100, "2Ti"),
        (1, 10, "1Gi"),
    ],
)
def test_a_volume_is_rounded_up_to_whole_gibibytes(size: int, headroom: int, volume: str) -> None:
    assert volume_size(Quantity.from_int(size), headroom) == volume


@pytest.mark.parametrize(
    ("key", "pattern", "fits"),
    [
        ("a*b", "a\\*b", True),
        ("axb", "a\\*b", False),
        ("a.b", "a.b", True),
        ("axb", "a.b", False),
        ("ab", "a?", True),
        ("a/", "a?", False),
        ("a", "a?", False),
        ("ab\\", "a\\b\\\\", True),
        ("b", "[\\a-c]", True),
        ("d", "[\\a-c]", False),
        ("a-", "a[\\-]", True),
        ("bx", "[a-c]x", True),
        ("bx", "[^a-c]x", False),
        ("dx", "[^a-c]x", True),
        ("xd", "[ax-z]d", True),
        ("wd", "[ax-z]d", False),
    ],
)
def test_each_part_of_a_pattern_means_what_go_takes_it_for(key: str, pattern: str, fits: bool) -> None:
    assert matches(key, [pattern]) is fits


def test_one_pattern_of_several_is_enough() -> None:
    assert matches("b", ["[", "a", "b"])
    assert not matches("c", ["a", "b"])
    assert not matches("c", [])


@pytest.mark.parametrize(
    ("text", "value", "of_kaiwo"),
    [
        ("Acme/Llama 8B", "acme_llama_8b", "Acme_Llama_8B"),
        ("__a.-", "a", "a"),
        ("a" * 64, "a" * 63, "a" * 63),
        (f"{'a' * 62}..b", "a" * 62, "a" * 62),
        ("//", "", "unknown"),
    ],
)
def test_texts_become_values_of_labels(text: str, value: str, of_kaiwo: str) -> None:
    assert (label_value(text), kaiwo_label(text)) == (value, of_kaiwo)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("/{ }", "{} has nothing in it"),
        ("/{metadata.name}", "{metadata.name} begins without a dot"),
        ("/{.metadata.labels['none']}", "the service has no label none"),
        ('/{.metadata.annotations["none"]}', "the service has no annotation none"),
        ("/{.spec.none}", "{.spec.none}: none is not found"),
        ("/{.spec.replicas.x}", "{.spec.replicas.x}: x is not found"),
        ("/{.spec.env[2].name}", "{.spec.env[2].name}: there is no item 2"),
        ("/{.spec.env[-3].name}", "{.spec.env[-3].name}: there is no item -3"),
        ("/{.metadata.labels[0]}", "{.metadata.labels[0]}: there is no item 0"),
        ("/{.spec.env['A']}", "{.spec.env['A']}: ['A'] isn't an index; only labels and annotations have keys in brackets"),
        ("/{.spec.env[*].name}", "{.spec.env[*].name} finds 2 values, not one"),
        ("/{.metadata.name[*]}", "{.metadata.name[*]} finds 0 values, not one"),
        ("/{.metadata.name.*}", "{.metadata.name.*} finds 0 values, not one"),
        ("/{.spec.env[0}", "{.spec.env[0}: unterminated array"),
        ("   ", "the path is empty"),
        ("/a/{.metadata.annotations['long']}x", "the path is longer than 200 bytes"),
    ],
)
def test_a_template_without_a_path_is_refused_in_words(template: str, message: str) -> None:
    with pytest.raises(PathTemplateError) as refused:
        rendered(template, SERVICE, dialect_of(OLD))
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("/{.spec.env[0:1]}", "{.spec.env[0:1]} isn't read here"),
        ("/{.spec.env[0,1]}", "{.spec.env[0,1]} isn't read here"),
        ("/{.spec.env[?(@.x)]}", "{.spec.env[?(@.x)]} isn't read here"),
        ("/{.spec.resources}", "{.spec.resources} isn't a single value"),
        ("/{.spec.resources.limits.cpu}", "{.spec.resources.limits.cpu} isn't a single value"),
        ("/{.spec.labelPropagation}", "{.spec.labelPropagation} isn't a single value"),
        ("/{.spec.labelPropagation.match}", "{.spec.labelPropagation.match} isn't read here"),
        ("/{.spec.Replicas}", "{.spec.Replicas} isn't read here"),
        ("/{.metadata}", "what {.metadata} is only the server knows"),
        ("/{.status.x}", "{.status.x} is empty until the service runs"),
    ],
)
def test_a_template_of_which_nothing_is_said_says_why(template: str, message: str) -> None:
    with pytest.raises(UnreadPathError) as unread:
        rendered(template, SERVICE, dialect_of(OLD))
    assert str(unread.value) == message


@pytest.mark.parametrize(
    ("group", "template", "path"),
    [
        (OLD, "/{.spec.env[0].name}/{.spec.env[-1].name}/{.spec.env[-2].name}", "/a/b/a"),
        (OLD, "/{.spec.imagePullSecrets[*].name}/{.spec.imagePullSecrets[0].name}", "/x/x"),
        (OLD, "/{.metadata.labels.*}", "/a"),
        (OLD, "/{.spec.replicas}", "/2"),
        (OLD, "/{.metadata.labels}", "/map-team-a"),
        (NEW, "/{.metadata.labels}", "/map-team-a"),
        (OLD, "/{true}", None),
        (OLD, "/{.metadata.annotations.long}", f"/{'x' * 63}"),
    ],
)
def test_a_path_holds_the_one_value_that_is_found(group: str, template: str, path: str | None) -> None:
    if path is None:
        with pytest.raises(UnreadPathError):
            rendered(template, SERVICE, dialect_of(group))
    else:
        assert rendered(template, SERVICE, dialect_of(group)) == path


#: A service whose fields have all forms in which Go prints values.
PRINTED: JSONObject = {
    "metadata": {"name": "chat", "namespace": "shop"},
    "spec": {
        "model": {"name": "llama"},
        "replicas": 2,
        "env": [{"name": "A", "value": "v"}],
        "caching": {"mode": "Shared"},
        "overrides": {},
        "storage": {},
        "routing": {"requestTimeout": "90s", "annotations": {"b": "2", "a": "1"}},
    },
}


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("/{.spec.template}", "/false"),
        ("/{.spec.template.name}x", "/x"),
        ("/{.spec.template.allowUnoptimized}", "/false"),
        ("/{.spec.caching}/{.spec.caching.*}", "/shared/shared"),
        ("/{.spec.routing.requestTimeout}", "/1m30s"),
        ("/{.spec.routing.annotations}", "/map-a-1-b-2"),
        ("/{.spec.env}", "/a-v--nil"),
        ("/{.spec.overrides}", "/nil---nil---nil"),
        ("/{.spec.storage}", "/nil---nil"),
        ("/{.metadata.ownerReferences}x/{.metadata.selfLink}y/{.metadata.labels}z", "/x/y/mapz"),
        ("/{.metadata.finalizers}", "/aim-eai-amd-com-template-cache-cleanup"),
        ("/{.metadata.uid}/{.metadata.name}-{.metadata.uid}", "/<uid>/chat-<uid>"),
    ],
)
def test_a_structure_has_all_its_fields_and_prints_as_go_prints_it(template: str, path: str) -> None:
    assert rendered(template, PRINTED, dialect_of(NEW)) == path


@pytest.mark.parametrize("expression", [".spec.runtimeConfigName", ".spec.minReplicas", ".spec.resources.limits", ".spec.model.image"])
def test_a_pointer_that_is_left_out_and_a_first_embedded_structure_are_not_found(expression: str) -> None:
    with pytest.raises(PathTemplateError, match=f"{expression.rpartition('.')[2]} is not found$"):
        rendered(f"/{{{expression}}}", PRINTED, dialect_of(NEW))
    if expression == ".spec.runtimeConfigName":
        assert rendered(f"/x{{{expression}}}", PRINTED, dialect_of(OLD)) == "/x"


@pytest.mark.parametrize("expression", [".spec.model", ".spec", ".spec.routing"])
def test_an_address_makes_a_path_that_changes(expression: str) -> None:
    enabled = {**PRINTED, "spec": {**PRINTED["spec"], "routing": {"enabled": True}}}
    with pytest.raises(ChangingPathError, match="has the address of a pointer, which is another one after each restart"):
        rendered(f"/{{{expression}}}", enabled, dialect_of(NEW))


@pytest.mark.parametrize(("annotation", "is_told"), [("x" * 60, False), ("x", True)])
def test_an_address_behind_the_63_characters_of_a_part_is_cut_off(annotation: str, is_told: bool) -> None:
    custom = {"baseImage": annotation, "modelSources": [], "hardware": {"gpu": {"requests": 1}}}
    service: JSONObject = {"metadata": {"name": "chat"}, "spec": {"model": {"custom": custom}}}
    if is_told:
        with pytest.raises(ChangingPathError):
            rendered("/{.spec.model.custom}", service, dialect_of(NEW))
    else:
        assert rendered("/{.spec.model.custom}", service, dialect_of(NEW)) == f"/{'x' * 60}"


def test_a_path_that_is_cut_within_the_uid_is_not_known() -> None:
    with pytest.raises(UnreadPathError, match="the path is cut within the uid"):
        rendered(f"/{'a' * 40}{{.metadata.uid}}", PRINTED, dialect_of(NEW))


def test_the_references_of_the_status_are_read_where_they_are_known() -> None:
    service: JSONObject = {**PRINTED, "status": {"resolvedModel": {"name": "llama", "scope": "Namespace"}}}
    assert rendered("/{.status.resolvedModel.name}", service, dialect_of(NEW)) == "/llama"
    with pytest.raises(UnreadPathError, match="is empty until the service runs"):
        rendered("/{.status.resolvedTemplate.name}", service, dialect_of(NEW))


@pytest.mark.parametrize(("length", "fits"), [(199, True), (200, False)])
def test_a_path_has_200_bytes_at_most(length: int, fits: bool) -> None:
    service: Any = {"metadata": {"name": "chat", "annotations": {"long": "/".join(["x" * 59] * 3 + ["x" * (length - 180)])}}, "spec": {}}
    template = "/{.metadata.annotations['long']}"
    if fits:
        assert len(rendered(template, service, dialect_of(NEW))) == 200
        assert rendered(f"{template}/", service, dialect_of(NEW)) == rendered(template, service, dialect_of(NEW))
    else:
        with pytest.raises(PathTemplateError):
            rendered(template, service, dialect_of(NEW))


def test_what_stands_in_braces_is_told_without_the_spaces() -> None:
    assert expressions("/{ .metadata.name }/x/{.spec}") == [".metadata.name", ".spec"]
    assert [stray_braces(text) for text in ("/x}", "/{}", "/{a}", "{{a}}", "/x")] == [True, True, False, True, False]


@pytest.mark.parametrize(
    ("service", "namespace", "name"),
    [
        ("s" * 45, "default", "s" * 45),
        ("s" * 46, "default", "s" * 36 + "-" + sha256(b"s" * 46).hexdigest()[:8]),
        ("service", "n" * 60, "s-" + sha256(b"service").hexdigest()[:8]),
    ],
)
def test_kaiwo_cuts_only_a_name_that_is_too_long(service: str, namespace: str, name: str) -> None:
    assert kaiwo_runtime_name(service, namespace) == name
