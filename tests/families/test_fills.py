"""What families say that they fill in is what they do fill in."""

from __future__ import annotations

import pytest

from policies.engine import decide
from policies.families import families, family_of
from policies.families.family import Family
from policies.objects import GroupVersionKind, field
from tests.doors.cases import CASES


def _filled() -> set[tuple[str, str]]:
    """Kind and field of everything that is filled in by some case."""
    found = set()
    for case in CASES:
        gvk = GroupVersionKind.from_object(case.object)
        if gvk is None or family_of(gvk.group) is None:
            continue
        decision = decide(case.request(), case.facts(), case.configuration())
        found |= {(gvk.kind, field(entry.path)) for entry in decision.provenance if not entry.source.startswith("CRD")}
    return found


FILLED = _filled()


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
def test_every_field_that_a_case_fills_in_is_told_of_and_none_besides(family: Family) -> None:
    kinds = {kind.gvk.kind for kind in family.kinds}
    told = {(fill.kind, fill.field) for fill in family.fills}
    done = {(kind, path) for kind, path in FILLED if kind in kinds and path.startswith("spec.")}
    for kind, path in done:
        # What is filled in may be a part of the field, or a part that holds nothing else.
        assert any(kind == known and (path.startswith(field) or field.startswith(path)) for known, field in told), (kind, path)
    for kind, path in told:
        assert any(kind == known and (done_path.startswith(path) or path.startswith(done_path)) for known, done_path in done), (kind, path)


def test_every_fill_has_a_page() -> None:
    assert all(len(fill.page) > 100 for family in families() for fill in family.fills)
