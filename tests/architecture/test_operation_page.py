"""docs/operation.md: every metric that the server has, and tests that exist."""

from __future__ import annotations

import re
from typing import Final

from tests.architecture.test_security_page import _tests_of
from tests.conftest import ROOT
from weighbridge.webhook.installation.alerts import ALERTS
from weighbridge.webhook.server.metrics import Metrics

PAGE: Final = (ROOT / "docs" / "operation.md").read_text(encoding="utf-8")
_ROW: Final = re.compile(r"^\| `(weighbridge_\w+)` \|([\w, ]*)\|", re.MULTILINE)


def test_every_metric_is_on_the_page_and_no_other() -> None:
    found = [family for family in Metrics().registry.collect() if family.name.startswith("weighbridge_")]
    served = {f"{family.name}{'_total' if family.type == 'counter' else ''}" for family in found}
    assert {name for name, _ in _ROW.findall(PAGE)} == served


def test_each_test_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`", PAGE)
    assert named
    assert [path for path, test in named if not _tests_of(path) or (test and test not in _tests_of(path))] == []


def test_the_alerts_are_those_that_the_code_has() -> None:
    rows = re.findall(r"^\| `(Weighbridge\w+)` \| (\w+) \| (.+) \|$", PAGE, re.MULTILINE)
    assert rows == [(alert.name, alert.urgency, alert.summary) for alert in ALERTS]
