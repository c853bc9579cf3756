"""The exported policies refuse what Weighbridge refuses, with the same messages."""

from __future__ import annotations

import pytest

from tests.export.parts import REQUESTS, Verdict, configuration, exported, model, ours, request, theirs
from weighbridge.policies.ground.objects import JSONObject

CONFIG = configuration()
OBJECTS = list(exported(CONFIG).objects)


def first(verdict: Verdict) -> set[str]:
    return set(verdict.refusals)


@pytest.mark.parametrize("number", range(len(REQUESTS)), ids=lambda number: f"{REQUESTS[number][0]['metadata']['name']}-{number}")
def test_both_say_the_same(number: int) -> None:
    obj, old = REQUESTS[number]
    asked = request(obj, old)
    mine, native = ours(CONFIG, asked), theirs(OBJECTS, asked)
    assert (sorted(mine.refusals), mine.warnings, mine.notes) == (sorted(native.refusals), native.warnings, native.notes)


def test_the_requests_tell_the_policies_apart() -> None:
    said = [ours(CONFIG, request(obj, old)) for obj, old in REQUESTS]
    spoken = {text[-11:-1] for verdict in said for text in (*verdict.refusals, *verdict.warnings, *verdict.notes)}
    assert spoken == {policy.id for policy, _ in exported(CONFIG).done} - {"POLICY-015"}
    assert sum(not verdict.refusals for verdict in said) > 15


def service(jinja: bool | None) -> JSONObject:
    return {**model("chat"), "kind": "InferenceService", "spec": {"modelRef": "llama"} | ({} if jinja is None else {"jinja": jinja})}


@pytest.mark.parametrize(("jinja", "refused"), [(None, []), (True, []), (False, ["spec.jinja: wants jinja (POLICY-015)"])])
def test_a_field_alone_is_a_validation(jinja: bool | None, refused: list[str]) -> None:
    asked = request(service(jinja))
    assert (ours(CONFIG, asked).refusals, theirs(OBJECTS, asked).refusals) == (refused, refused)


_QUOTING = {
    "apiVersion": "weighbridge.dev/v1alpha1",
    "kind": "Configuration",
    "policies": [
        {
            "id": "POLICY-001",
            "name": "no-models",
            "match": {"kinds": ["Model.inference.llmkube.dev"]},
            "validations": [
                {"expression": "object.spec.source == ''", "message": "is wrong", "messageExpression": "object.spec.source + ' is wrong'"}
            ],
        }
    ],
}


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("https://host/m.gguf", "https://host/m.gguf"),
        ("hf://acme/llama@main", "hf://acme/llama@main"),
        ("hf://llama@main", "hf://llama@main"),
        ("registry:5000/team/image:tag@sha256:0123456789abcdef", "registry:5000/team/image:tag@sha256:0123456789abcdef"),
        ("https://me:SECRET@host/m.gguf", ""),
        ("https://SECRET@host/m.gguf", ""),
        ("me:SECRET@registry/image:tag", ""),
        ("https://host/m.gguf?X-Amz-Signature=SECRET", ""),
        ("password=SECRET", ""),
        ("hf_SECRETsecretSECRET1234", ""),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SECRET", ""),
    ],
)
def test_an_exported_message_shows_no_credential(source: str, shown: str) -> None:
    asked = request(model("llama", spec={"source": source}))
    objects = list(exported(configuration(_QUOTING)).objects)
    assert theirs(objects, asked).refusals == [f"{shown} is wrong (POLICY-001)".lstrip()]
