"""Families fill in exactly the fields that they declare."""

from __future__ import annotations

from functools import cache

import pytest

from tests.doors.cases import CASES
from weighbridge.policies.families import families, family_of
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.objects import GroupVersionKind, field


@cache
def _filled(family_name: str) -> set[tuple[str, str]]:
    """Kind and field of every value that is filled in in some case of a family."""
    found = set()
    for case in CASES:
        gvk = GroupVersionKind.from_object(case.object)
        family = family_of(gvk.group) if gvk is not None else None
        if gvk is None or family is None or family.name != family_name:
            continue
        entries = (entry for entry in case.decision.provenance if not entry.source.startswith("CRD"))
        found |= {(gvk.kind, field(entry.path)) for entry in entries if not entry.source.endswith("webhook")}
    return found


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
def test_every_field_that_a_case_fills_in_is_told_of_and_none_besides(family: Family) -> None:
    told = {(fill.kind, fill.field) for fill in family.fills}
    done = {(kind, path) for kind, path in _filled(family.name) if path.startswith("spec.")}
    for kind, path in done:
        # The filled-in value may be a part of the field, or a parent that has nothing else.
        is_told = any(kind == known and (path.startswith(field) or field.startswith(path)) for known, field in told)
        assert is_told, f"FAMILY.fills of {family.name} lacks {path} of {kind}, which a case fills in"
    for kind, path in told:
        is_done = any(kind == known and (done_path.startswith(path) or path.startswith(done_path)) for known, done_path in done)
        assert is_done, f"no case of {family.name} fills in {path} of {kind}, which FAMILY.fills has"


def test_every_fill_has_a_page() -> None:
    short = {fill.module for family in families() for fill in family.fills if len(fill.page) <= 100}
    assert not short, f"{', '.join(sorted(short))}: the docstring is a page; say when the field is filled in, with what, and why"
