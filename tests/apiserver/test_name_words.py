"""Names at their longest, and every word with which the server refuses one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from weighbridge.policies.schema.names import (
    dns1035_label,
    dns1123_label,
    dns1123_subdomain,
    label_value,
    path_segment,
    qualified_name,
    subdomain_prefix,
)

LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric "
    "character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
LABEL_1035 = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an "
    "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)
KEY = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or "
    "'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
LONG = "must be no more than 63 characters"
VERY_LONG = "must be no more than 253 characters"


@pytest.mark.parametrize(
    ("judge", "name", "messages"),
    [
        (dns1123_label, "a", []),
        (dns1123_label, "0-a", []),
        (dns1123_label, "a" * 63, []),
        (dns1123_label, "a" * 64, [LONG]),
        (dns1123_label, "a.b", ["must not contain dots"]),
        (dns1123_label, "a." + "b" * 62, [LONG, "must not contain dots"]),
        (dns1123_label, "", [LABEL]),
        (dns1123_label, "-", [LABEL]),
        (dns1123_label, "A" * 64, [LONG, LABEL]),
        (dns1123_label, "é" * 31, [LABEL]),
        (dns1123_label, "é" * 32, [LONG, LABEL]),
        (dns1123_subdomain, "a.b-c.0", []),
        (dns1123_subdomain, "a" * 253, []),
        (dns1123_subdomain, "a" * 254, [VERY_LONG]),
        (dns1123_subdomain, "a..b", [SUBDOMAIN]),
        (dns1123_subdomain, "", [SUBDOMAIN]),
        (dns1123_subdomain, "A" * 254, [VERY_LONG, SUBDOMAIN]),
        (dns1035_label, "a-0", []),
        (dns1035_label, "a" * 63, []),
        (dns1035_label, "a" * 64, [LONG]),
        (dns1035_label, "0a", [LABEL_1035]),
        (dns1035_label, "a-", [LABEL_1035]),
        (dns1035_label, "A" * 64, [LONG, LABEL_1035]),
        (label_value, "", []),
        (label_value, "A_b.c-0", []),
        (label_value, "a" * 63, []),
        (label_value, "a" * 64, ["must be no more than 63 bytes"]),
        (label_value, "a-", [VALUE]),
        (label_value, "-" * 64, ["must be no more than 63 bytes", VALUE]),
        (qualified_name, "A_b.c-0", []),
        (qualified_name, "a.b/A_b.c-0", []),
        (qualified_name, "a" * 63, []),
        (qualified_name, "a" * 64, ["name part must be no more than 63 bytes"]),
        (qualified_name, "a" * 254, ["name part must be no more than 63 bytes"]),
        (qualified_name, "a" * 253 + "/" + "b" * 63, []),
        (qualified_name, "a" * 254 + "/b", ["prefix part must be no more than 253 bytes"]),
        (qualified_name, "A/b", [f"prefix part {SUBDOMAIN}"]),
        (qualified_name, "/b", ["prefix part must be non-empty"]),
        (qualified_name, "a/", ["name part must be non-empty", f"name part {KEY}"]),
        (qualified_name, "/", ["prefix part must be non-empty", "name part must be non-empty", f"name part {KEY}"]),
        (qualified_name, "", ["name part must be non-empty", f"name part {KEY}"]),
        (qualified_name, "-" * 64, ["name part must be no more than 63 bytes", f"name part {KEY}"]),
        (qualified_name, "a/b/c", [f"a valid label key {KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]),
        (path_segment, "a:b c", []),
        (path_segment, "", []),
        (path_segment, "...", []),
        (path_segment, ".", ["may not be '.'"]),
        (path_segment, "..", ["may not be '..'"]),
        (path_segment, "%/", ["may not contain '/'", "may not contain '%'"]),
        (path_segment, "a%", ["may not contain '%'"]),
        (subdomain_prefix, "a-", []),
        (subdomain_prefix, "a.b-", []),
        (subdomain_prefix, "A-", []),
        (subdomain_prefix, "-", [SUBDOMAIN]),
        (subdomain_prefix, "", [SUBDOMAIN]),
        (subdomain_prefix, "a.", [SUBDOMAIN]),
        (subdomain_prefix, "Ab-", [SUBDOMAIN]),
        (subdomain_prefix, "a" * 253 + "-", []),
        (subdomain_prefix, "a" * 254 + "-", [VERY_LONG]),
    ],
)  # fmt: skip
def test_a_name_is_refused_with_these_words(judge: Callable[[str], list[str]], name: str, messages: list[str]) -> None:
    assert judge(name) == messages


@pytest.mark.parametrize("text", [".", ".."])
def test_two_dots_may_begin_a_path_segment(text: str) -> None:
    assert path_segment(text, prefix=True) == []
    assert path_segment(f"{text}/", prefix=True) == ["may not contain '/'"]


def test_answers_about_a_name_are_not_shared() -> None:
    qualified_name("/x").append("more")
    assert qualified_name("/x") == ["prefix part must be non-empty"]
