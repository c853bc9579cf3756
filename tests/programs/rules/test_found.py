"""The expressions of found.yaml, which the engine once answered differently."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.programs.control_plane.build import kubernetes_version
from tests.programs.rules.comparison import compare, ours
from tests.programs.rules.judge import find_judge
from weighbridge.policies.ground.server_release import USUAL, judging, nearest

_FOUND: Final[list[dict[str, Any]]] = yaml.safe_load(Path(__file__).with_name("found.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("found", _FOUND, ids=lambda found: found["name"])
def test_an_expression_is_answered_as_by_the_servers_code(found: dict[str, Any]) -> None:
    with judging(nearest(found.get("release", USUAL.name)) or USUAL):
        answer = ours(found["expression"])["objects"][found["object"]]
    assert (answer["errors"], answer["cost"]) == (found["errors"], found["cost"])


def test_the_servers_code_answers_them_so() -> None:
    judge = find_judge()
    if judge is None:
        pytest.skip("the API server's code for rules isn't built; build it (needs Go) with: make control-plane")
    # All of them are compared in the judge's release, so in each release that is built.
    with judging(nearest(kubernetes_version()) or USUAL):
        assert compare(judge, [found["expression"] for found in _FOUND]).differences == []
