"""Migrates each of upstream's own manifests in place: a second migration changes nothing, and `lint` finds nothing new."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import SHARED
from tests.migration.corpus import CHANGED, FILES, of_file
from weighbridge.policies.families.migration import Told
from weighbridge.webhook.migration.files import Migrated

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout")


def _rules(path: Path) -> set[str]:
    report = json.loads(run("lint", "-o", "json", str(path)).stdout)
    return {finding["rule"] for result in report["results"] for finding in result["findings"] if finding["severity"] == "error"}


def test_all_that_can_be_migrated_is() -> None:
    assert len(CHANGED) >= 75
    left = [placed for path in FILES for placed in of_file(path).told if placed.remark.told is Told.LEFT]
    assert {placed.kind for placed in left} == {"AIMKVCache", "AIMRuntimeConfig", "Service"}


@pytest.mark.parametrize("result", CHANGED, ids=lambda result: str(Path(result.source).relative_to(SHARED / "corpus")))
def test_the_result_passes_lint_as_the_original_does_and_stays(result: Migrated, tmp_path: Path) -> None:
    path = tmp_path / "migrated.yaml"
    path.write_text(result.after)
    again = of_file(path)
    assert (again.after, again.objects) == (result.after, 0)
    assert _rules(path) <= _rules(Path(result.source))


@pytest.mark.parametrize("version", ["v1.0.0", "v1.0.2", "v1.2.0", "v1.3.0", "v1.5.0", "v1.6.0"])
def test_each_version_of_the_inference_extension_takes_what_is_migrated_to_it(version: str, tmp_path: Path) -> None:
    config = tmp_path / "config" / "configuration.yaml"
    config.parent.mkdir()
    config.write_text(f"apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\ninferenceExtension: {{version: {version}}}\n")
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
        for number, path in enumerate(path for path in FILES if path.is_relative_to(SHARED / "corpus" / "gie")):
            (folder / f"{number}.yaml").write_bytes(path.read_bytes())
    done = run("migrate", "--write", "--config", str(config), str(after))
    wrong = _wrong(after, config) - _wrong(before, config)
    # v0.1.0 accepted a pool without a picker; a remark says so.
    assert wrong == (set() if version == "v1.6.0" else {"spec.endpointPickerRef"})
    assert (done.returncode, done.stderr.splitlines()[-1][-6:]) == (0 if version == "v1.6.0" else 1, f"left {len(wrong)}")


def _wrong(folder: Path, config: Path) -> set[str]:
    report = json.loads(run("lint", "-o", "json", "--config", str(config), str(folder)).stdout)
    return {finding["field"] for result in report["results"] for finding in result["findings"] if finding["severity"] == "error"}
