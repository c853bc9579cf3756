"""Each difference between releases, by the smallest case that it changes: the result before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.releases.vectors import ASKS
from weighbridge.policies.ground.server_release import RELEASES, ServerRelease, Since, judging

DIFFERENCES = {name: found for name, found in vars(ServerRelease).items() if isinstance(found, Since)}
ANSWERS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("answers.yaml").read_text(encoding="utf-8"))


def test_each_difference_has_a_vector() -> None:
    assert ASKS.keys() == ANSWERS.keys() == DIFFERENCES.keys()


@pytest.mark.parametrize("name", ASKS)
def test_a_difference_is_seen_from_its_release_on(name: str) -> None:
    first = next(release for release in RELEASES if release.version == DIFFERENCES[name].version)
    last_before = RELEASES[RELEASES.index(first) - 1]
    # All releases run in one process, to check that nothing that is remembered for one release is used for another.
    found = {}
    for release in (*RELEASES, last_before):
        with judging(release):
            found[release.name] = ASKS[name]()
    assert found[last_before.name] == ANSWERS[name]["before"]
    assert found[first.name] == ANSWERS[name]["after"]
    assert ANSWERS[name]["before"] != ANSWERS[name]["after"]
