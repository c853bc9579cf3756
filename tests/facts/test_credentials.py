"""Texts without credentials."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.policies.facts.credentials import _SIGNS, BLANK, may_have_credentials, without_credentials


@pytest.mark.parametrize(
    "text",
    [
        "",
        "llama-3.1-8b-instruct",
        "Q4_K_M",
        "80Gi",
        "hf://org/model@main",
        "hf://gpt2@main",
        "pvc://claim/path/model.gguf",
        "s3://bucket/key.gguf",
        "https://host:8080/path@v1/model.gguf",
        "ghcr.io/ggml-org/llama.cpp:server@sha256:0123456789abcdef",
        "registry:5000/team/image:tag",
        "/mnt/token/file",
        "token-server",
        "sk-learn-model-server-production",
        "node.kubernetes.io/instance-type",
    ],
)
def test_a_text_without_credentials_stays(text: str) -> None:
    assert without_credentials(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("https://me:SECRET@host/p", f"https://{BLANK}@host/p"),
        ("https://SECRET@host/p", f"https://{BLANK}@host/p"),
        ("redis://:SECRET@host:6379/0", f"redis://{BLANK}@host:6379/0"),
        ("postgres://me:a/SECRET@host/db", f"postgres://{BLANK}@host/db"),
        ("https://host/m.gguf?token=SECRET&x=SECRET#SECRET", f"https://host/m.gguf?token={BLANK}&x={BLANK}#{BLANK}"),
        ("https://host/m.gguf?SECRET", f"https://host/m.gguf?{BLANK}"),
        ("/health?key=SECRET", f"/health?key={BLANK}"),
        ("jdbc:postgresql://host/db?user=me&password=SECRET", f"jdbc:postgresql://host/db?user={BLANK}&password={BLANK}"),
        ("Server=host;Password=SECRET;", f"Server=host;Password={BLANK};"),
        ("password: SECRET", BLANK),
        ("user=me api-key=SECRET", BLANK),
        ('{"token": "SECRET"}', BLANK),
        ("me:SECRET@tcp(host:3306)/db", BLANK),
        ("Bearer SECRET", BLANK),
        ("basic U0VDUkVU", BLANK),
        ("-----BEGIN PRIVATE KEY-----\nSECRET", BLANK),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SECRET", BLANK),
        ("hf_SECRETsecretSECRET1234", BLANK),
        ("ghp_SECRETsecretSECRET1234567890", BLANK),
        ("sk-proj-SECRETsecretSECRET1234", BLANK),
        ("AKIASECRETSECRETSECR", BLANK),
        ("xoxb-SECRET-SECRET", BLANK),
    ],
)
def test_credentials_go_and_the_rest_stays(text: str, kept: str) -> None:
    assert without_credentials(text) == kept
    assert without_credentials(kept) == kept


@given(st.text(alphabet=st.sampled_from("ab1:/?#@=&;-_. sktoken"), max_size=60))
def test_any_text_is_taken_once_and_for_all(text: str) -> None:
    kept = without_credentials(text)
    assert without_credentials(kept) == kept


def test_a_text_that_is_too_long_to_be_a_name_goes() -> None:
    assert without_credentials("a" * 4096) == "a" * 4096
    assert without_credentials("sk-a-" * 100_000) == BLANK


#: Parts of the forms of credentials, also with other letters and in other cases.
_PARTS = (
    *("hf", "gho", "pat", "gsk", "-", "_", "a" * 8, "a" * 16, "b-" * 8, "sk-", "xox", "xOx", "AKIA", "akia", "AIza", "eyJ", "EYJ"),
    *("-----BEGIN ", "-----begin ", "Pass", "TOKEN", "Basic", "sig", "nature", "key", "\u212aey", "pa\u017fs", "@", "=", "#", " ", "é"),
)


@given(st.lists(st.sampled_from(_PARTS), max_size=6))
def test_the_quick_look_for_signs_misses_none(parts: list[str]) -> None:
    text = "".join(parts)
    assert may_have_credentials(text) is (_SIGNS.search(text) is not None)
