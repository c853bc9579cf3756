"""The record of a value, from which the JSON Schema of `dry-run` is made, has the same keys as the value's JSON."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import NotRequired, get_origin, get_type_hints

import pytest

from weighbridge.policies.apiserver.comparison import Loss
from weighbridge.policies.families.prediction import Event, Merged, PredictedValue, Setting, Table
from weighbridge.policies.ground.findings import Reported, Unchecked
from weighbridge.webhook.dry_run_report.parts.shapes import (
    EffectiveValueRecord,
    EventRecord,
    LossRecord,
    MergedRecord,
    SettingRecord,
    TableRecord,
    UncheckedRecord,
)


@pytest.mark.parametrize(
    ("value", "record"),
    [
        (Event, EventRecord),
        (Loss, LossRecord),
        (Merged, MergedRecord),
        (Setting, SettingRecord),
        (Table, TableRecord),
        (Unchecked, UncheckedRecord),
    ],
)
def test_a_record_has_the_fields_of_its_value(value: type[Reported], record: type) -> None:
    found = [(entry.name, entry.default is not MISSING) for entry in fields(value)]  # type: ignore[arg-type]
    hints = get_type_hints(record, include_extras=True)
    assert found == [(key, get_origin(hint) is NotRequired) for key, hint in hints.items()]


def test_the_record_of_an_effective_value_has_its_fields() -> None:
    assert list(get_type_hints(EffectiveValueRecord)) == list(PredictedValue._fields)
