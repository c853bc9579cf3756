"""Upstream's own manifests: each is migrated in place, once and for all, into what lint has nothing more against than before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from policies.families.migration import Told
from tests.command_line import run
from tests.conftest import SHARED
from tests.migration.corpus import CHANGED, FILES, of_file
from webhook.migration.files import Migrated

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't beside the checkout")


def _rules(path: Path) -> set[str]:
    report = json.loads(run("lint", "-o", "json", str(path)).stdout)
    return {finding["rule"] for result in report["results"] for finding in result["findings"] if finding["severity"] == "error"}


def test_all_that_can_be_migrated_is() -> None:
    assert len(CHANGED) >= 75
    left = [placed for path in FILES for placed in of_file(path).told if placed.remark.told is Told.LEFT]
    assert {placed.kind for placed in left} == {"AIMKVCache", "Service"}


@pytest.mark.parametrize("result", CHANGED, ids=lambda result: str(Path(result.source).relative_to(SHARED / "corpus")))
def test_the_result_passes_lint_as_the_original_does_and_stays(result: Migrated, tmp_path: Path) -> None:
    path = tmp_path / "migrated.yaml"
    path.write_text(result.after)
    again = of_file(path)
    assert (again.after, again.objects) == (result.after, 0)
    assert _rules(path) <= _rules(Path(result.source))
