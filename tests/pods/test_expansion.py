"""References to variables in arguments are replaced as the kubelet replaces them."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.expansion import environment, escape, expand


# Pairs from Kubernetes' third_party/forked/golang/expansion/expand_test.go, with other variables.
@pytest.mark.parametrize(
    ("written", "expanded"),
    [
        ("$(A)", "a"),
        ("--flag=$(A)-$(B)", "--flag=a-b"),
        ("$$(A)", "$(A)"),
        ("$$$(A)", "$a"),
        ("$$$$(A)", "$$(A)"),
        ("$(GONE)", "$(GONE)"),
        ("$(EMPTY)", ""),
        ("$A $", "$A $"),
        ("$(A", "$(A"),
        ("$()", "$()"),
        ("$(B)$(A)$$", "ba$"),
        ("(A)", "(A)"),
        ("$($(A)", "$($(A)"),
    ],
)
def test_references_are_replaced(written: str, expanded: str) -> None:
    assert expand(written, {"A": "a", "B": "b", "EMPTY": ""}) == expanded


@pytest.mark.parametrize("value", ["", "a", "$", "$$", "$(A)", "$$(A)", "a$b$"])
def test_an_escaped_text_expands_to_itself(value: str) -> None:
    assert expand(escape(value), {"A": "a"}) == value


def test_a_value_that_is_not_known_leaves_the_text_unknown() -> None:
    assert expand("$(A)", {"A": None}) is None
    assert expand("$$(A)", {"A": None}) == "$(A)"
    assert expand("$(GONE)", {}, is_whole=False) is None


def test_variables_refer_to_those_above_them() -> None:
    secret: JSONObject = {"secretKeyRef": {"name": "s", "key": "k"}}
    container = {
        "env": [
            {"name": "LATE", "value": "$(HOST)"},
            {"name": "HOST", "value": "example.com"},
            {"name": "URL", "value": "https://$(HOST)/$$(HOST)"},
            {"name": "TOKEN", "valueFrom": secret},
            {"name": "LOGIN", "value": "$(TOKEN)@$(HOST)"},
            {"name": "NAMESPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}},
        ]
    }
    assert environment(container, "team-a") == {
        "LATE": "$(HOST)",
        "HOST": "example.com",
        "URL": "https://example.com/$(HOST)",
        "TOKEN": None,
        "LOGIN": None,
        "NAMESPACE": "team-a",
    }
    assert environment({**container, "envFrom": [{"configMapRef": {"name": "c"}}]}, "n")["LATE"] is None
