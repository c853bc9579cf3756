"""The meaning of texts by the names of their fields, and the labels whose values a pod mentions."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts.mentions import Mentions
from weighbridge.policies.facts.vocabulary import is_harmless, is_harmless_label, last_word, words_of
from weighbridge.policies.ground.objects import JSONObject


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("name", ["name"]),
        ("hfTokenSecretRef", ["hf", "token", "secret", "ref"]),
        ("HTTPServer", ["http", "server"]),
        ("storageURI", ["storage", "uri"]),
        ("max-model-len", ["max", "model", "len"]),
        ("HF_TOKEN", ["hf", "token"]),
        ("gpu2Count", ["gpu", "2", "count"]),
        ("a.test/poolName", ["a", "test", "pool", "name"]),
        ("ID", ["id"]),
        ("aB", ["a", "b"]),
        ("modelIDs", ["model", "i", "ds"]),
        ("", []),
        ("--", []),
    ],
)
def test_a_field_is_taken_apart_into_words(field: str, words: list[str]) -> None:
    assert list(words_of(field)) == words
    assert last_word(field) == (words[-1] if words else "")


@pytest.mark.parametrize(
    ("field", "harmless"),
    [
        ("name", True),
        ("modelName", True),
        ("secretName", True),
        ("tokenRef", True),
        ("tokenRefs", True),
        ("credentialsPath", True),
        ("passwordFile", True),
        ("secretNames", True),
        ("secretKind", False),
        ("tokenType", False),
        ("apiKeyType", False),
        ("accessKeyId", False),
        ("privateKeyFormat", False),
        ("maxTokens", False),
        ("modelFormat", True),
        ("keyFormat", True),
        ("key", True),
        ("keys", True),
        ("topologyKey", True),
        ("tolerationKey", True),
        ("headerKeys", True),
        ("labelKey", True),
        ("annotationKey", True),
        ("taintKey", True),
        ("cacheKey", True),
        ("apiKey", False),
        ("accessKey", False),
        ("modelKey", False),
        ("value", False),
        ("token", False),
        ("password", False),
        ("description", False),
        ("", False),
    ],
)
def test_a_field_that_chooses_something_holds_no_secret(field: str, harmless: bool) -> None:
    assert is_harmless(field) is harmless


@pytest.mark.parametrize(
    ("key", "harmless"),
    [
        ("amd.com/gpu", True),
        ("app", True),
        ("a.test/token", False),
        ("a.test/api-key", False),
        ("a.test/access_key", False),
        ("accountKey", False),
        ("privateKey", False),
        ("key", True),
        ("db-password", False),
        ("secret", False),
        ("secret-name", True),
        ("token-path", True),
        ("credentials-file", True),
        ("passwordRef", True),
        ("token-kind", False),
        ("pass", True),
        ("auth", True),
        ("secrets", True),
        ("", True),
    ],
)
def test_a_label_is_harmless_unless_it_is_named_like_a_secret(key: str, harmless: bool) -> None:
    assert is_harmless_label(key) is harmless


def mentioned(selector: JSONObject, *expressions: tuple[str, str, list[str]]) -> dict[str, list[str]]:
    """The labels that a pod with a node selector, and with a term of required affinity for each expression, mentions."""
    terms = [{"matchExpressions": [{"key": key, "operator": operator, "values": values}]} for key, operator, values in expressions]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    found = Mentions.of({"spec": {"nodeSelector": selector, "affinity": {"nodeAffinity": required}}})
    return {key: list(values) for key, values in found.values.items()}


def test_values_are_mentioned_in_order_and_once() -> None:
    assert mentioned({"b": "2", "a": "1"}, ("a", "In", ["3", "1", "2"]), ("c", "NotIn", ["4"]), ("a", "In", ["0"])) == {
        "b": ["2"],
        "a": ["1", "3", "2", "0"],
        "c": ["4"],
    }
    assert mentioned({}, ("a", "Exists", [])) == {}
    assert Mentions.of(None) == Mentions({})
    assert Mentions.of({"spec": {"nodeSelector": 1, "affinity": []}}) == Mentions({})


@pytest.mark.parametrize(
    ("operator", "bound", "values"),
    [
        ("Gt", "10", ["11"]),
        ("Lt", "10", ["9"]),
        ("Gt", "-1", ["0"]),
        ("Lt", "0", ["-1"]),
        ("Gt", "x", []),
        ("Lt", "1.5", []),
        ("Gt", "", []),
        ("In", "10", ["10"]),
        ("NotIn", "x", ["x"]),
    ],
)
def test_of_a_bound_the_number_beyond_is_mentioned(operator: str, bound: str, values: list[str]) -> None:
    assert mentioned({}, ("m", operator, [bound])) == ({"m": values} if values else {})
