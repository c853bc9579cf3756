"""If a CRD of an unknown release still uses a keyword anywhere, the keyword was dropped from another field on purpose."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.apiserver.comparison import compare

RULED = {"type": "string", "pattern": "x", "enum": ["x"]}
PLAIN = {"type": "string"}


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"type": "array", "items": RULED},
        {"type": "object", "additionalProperties": RULED},
        {"type": "object", "properties": {"b": RULED}},
        {"type": "array", "items": {"type": "object", "additionalProperties": RULED}},
    ],
)
def test_a_keyword_that_stands_elsewhere_is_not_lost(elsewhere: dict[str, Any]) -> None:
    def schema(**properties: Any) -> dict[str, Any]:
        return {"type": "object", "properties": properties}

    wanted = schema(a=RULED, m=elsewhere)
    assert compare(wanted, schema(a=PLAIN, m=elsewhere), is_known_release=False).losses == ()
    lost = compare(wanted, schema(a=PLAIN, m=elsewhere)).losses
    assert [(loss.field, loss.keyword) for loss in lost] == [("a", "enum"), ("a", "pattern")]
