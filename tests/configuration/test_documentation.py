"""The examples on the page about the configuration can be used, and name existing settings."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from tests.conftest import ROOT
from tests.yaml_documents import read
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.webhook.configuration.namespace_configuration import with_config_maps
from weighbridge.webhook.configuration.reader import read_configuration
from weighbridge.webhook.server.metrics import Metrics

PAGE = (ROOT / "docs" / "configuration.md").read_text()
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", [text for text in EXAMPLES if "kind: Configuration" in text])
def test_an_example_can_be_used(tmp_path: Path, example: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(example)
    assert read_configuration(str(path)) != parse({})


def test_the_example_of_a_config_map_can_be_used() -> None:
    (example,) = (text for text in EXAMPLES if "kind: ConfigMap" in text)
    config = with_config_maps(DEFAULT, [read(example)])
    assert (len(config.brought), config.notes) == (1, {})


def settings(schema: JSONObject, node: JSONObject, place: str = "") -> Iterator[str]:
    """The paths of all keys of a schema; a key that the user chooses doesn't count."""
    if "$ref" in node:
        node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    for choice in node.get("anyOf", ()):
        yield from settings(schema, choice, place)
    for key, child in node.get("properties", {}).items():
        yield f"{place}.{key}"
        yield from settings(schema, child, f"{place}.{key}")
    if isinstance(node.get("additionalProperties"), dict):
        yield from settings(schema, node["additionalProperties"], f"{place}.*")
    if "items" in node:
        yield from settings(schema, node["items"], place)


def shown(value: JSONValue, known: Collection[str], place: str = "") -> Iterator[str]:
    """The paths of the keys that an example sets."""
    if isinstance(value, list):
        for entry in value:
            yield from shown(entry, known, place)
    elif isinstance(value, dict):
        for key, child in value.items():
            own = f"{place}.{key}"
            yield own
            yield from shown(child, known, own if own in known else f"{place}.*")


def test_every_key_has_an_example_and_is_explained() -> None:
    schema = json.loads((ROOT / "docs" / "schemas" / "configuration.schema.json").read_text())
    keys = set(settings(schema, schema)) - {".apiVersion", ".kind"}
    examples = {place for text in EXAMPLES if "kind: Configuration" in text for place in shown(read(text), keys)}
    explained = set(re.findall(r"[A-Za-z]+", " ".join(re.findall(r"`([^`]+)`", PAGE))))
    without_example = ", ".join(sorted(keys - examples))
    assert not without_example, f"docs/configuration.md has no example of {without_example}"
    unexplained = ", ".join(sorted(key for key in keys if key.rpartition(".")[2] not in explained))
    assert not unexplained, f"docs/configuration.md has no row that explains {unexplained}"


def test_the_metrics_are_there() -> None:
    metrics = Metrics()
    metrics.configuration.published(DEFAULT)
    shown = generate_latest(metrics.registry).decode()
    for name in re.findall(r"^\| `(weighbridge_[a-z_]+)", PAGE, re.MULTILINE):
        assert f"# TYPE {name} " in shown, name
