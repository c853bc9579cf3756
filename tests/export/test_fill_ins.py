"""Exported fill-ins, judged as the server does: the same values are stored as where the webhook fills them in, with the same record."""

from __future__ import annotations

import pytest

from tests.export.filling import FILLED, by_webhook, comparable, filling, stored
from tests.export.parts import exported
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

CONFIG = filling()
POLICIES = list(exported(CONFIG, "POLICY-*", "llm*").objects)


@pytest.mark.parametrize(("obj", "old"), FILLED, ids=[f"{name_of(obj)}-{namespace_of(obj)}-{obj['kind']}" for obj, _ in FILLED])
def test_the_same_is_stored(obj: JSONObject, old: JSONObject | None) -> None:
    before = None if old is None else stored(old)
    assert comparable(stored(obj, before, *POLICIES)) == comparable(by_webhook(CONFIG, obj, before))
