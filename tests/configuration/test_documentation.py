"""What the page on the configuration shows can be used, and names what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from prometheus_client import generate_latest

from policies.config import DEFAULT
from policies.families.configuration import parse
from tests.conftest import ROOT
from webhook.configuration import read_configuration
from webhook.configuration.namespace_configuration import with_config_maps
from webhook.server.metrics import Metrics

PAGE = (ROOT / "docs" / "configuration.md").read_text()
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", [text for text in EXAMPLES if "kind: ConfigMap" not in text])
def test_an_example_can_be_used(tmp_path: Path, example: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(example)
    assert read_configuration(str(path)) != parse({})


def test_the_example_of_a_config_map_can_be_used() -> None:
    (example,) = (text for text in EXAMPLES if "kind: ConfigMap" in text)
    config = with_config_maps(DEFAULT, [yaml.safe_load(example)])
    assert (len(config.brought), config.notes) == (1, {})


def test_the_metrics_are_there() -> None:
    metrics = Metrics()
    metrics.configuration.published(DEFAULT)
    shown = generate_latest(metrics.registry).decode()
    for name in re.findall(r"^\| `(weighbridge_[a-z_]+)", PAGE, re.MULTILINE):
        assert f"# TYPE {name} " in shown, name
