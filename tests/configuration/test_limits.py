"""Limits on the configuration that is read, and the counts that are shown."""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client import CollectorRegistry

from tests.configuration.objects import HEAD
from weighbridge.policies.families.configuration import parse
from weighbridge.webhook.configuration import file, reader
from weighbridge.webhook.configuration.file import ConfigurationFile
from weighbridge.webhook.configuration.mistake import ConfigurationError
from weighbridge.webhook.configuration.reader import bytes_of
from weighbridge.webhook.inputs.crd_files import accepted_crds
from weighbridge.webhook.manifests import documents, manifests
from weighbridge.webhook.manifests.flatten import Manifest
from weighbridge.webhook.server.configuration_metrics import ConfigurationMetrics
from weighbridge.webhook.texts.errors import InputError

TICK = 2_000_000_000


@pytest.mark.parametrize("way", ["-", "named", "watched"])
def test_a_configuration_may_have_so_many_bytes_and_no_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: str) -> None:
    monkeypatch.setattr(reader, "DEFAULT_MAX_BYTES", 10)
    path = tmp_path / "config.yaml"

    def read(data: bytes) -> bytes:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        path.write_bytes(data)
        return bytes_of("-" if way == "-" else str(path), is_watched=way == "watched")

    assert read(b"x" * 10) == b"x" * 10
    for size in (11, 12, 100):
        with pytest.raises(ConfigurationError) as raised:
            read(b"x" * size)
        # A watched object is found to be too large before it is read.
        assert str(raised.value).startswith("-" if way == "-" else str(path))
        assert "larger than 10 bytes" in str(raised.value) or way == "watched"


@pytest.mark.parametrize(("age", "is_settled"), [(0, False), (1, False), (TICK, False), (TICK + 1, True), (TICK * 9, True)])
def test_a_file_is_read_again_until_its_time_tells_of_every_change(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, age: int, *, is_settled: bool
) -> None:
    monkeypatch.setattr(file, "_SETTLED_NANOSECONDS", TICK)
    written = 1_000_000_000_000
    monkeypatch.setattr(ConfigurationFile, "_look", lambda _: (written, written, 1, 1))
    path = tmp_path / "config.yaml"
    path.write_text(HEAD + "references: deny\n")
    watched = ConfigurationFile(str(path), lambda: written + age)
    assert watched.read().config.references == "deny"
    path.write_text(HEAD + "references: warn\n")
    found = watched.refresh()
    assert (found is None) is is_settled
    assert watched.refresh() is None


def test_exceptions_are_counted_as_holding_and_as_ended() -> None:
    registry = CollectorRegistry()
    metrics = ConfigurationMetrics(registry, lambda: 7.0)

    def entry(**more: str) -> dict[str, object]:
        return {"rules": ["LLMKUBE-*"], "match": {"names": ["m"]}, "reason": "as agreed", **more}

    ends = [entry(expires="2026-01-01"), entry(expires="2026-01-02"), entry(expires="2027-01-01"), entry(), entry()]
    metrics.published(parse({"exceptions": ends}).at(datetime(2026, 6, 30, tzinfo=UTC)))
    name = "weighbridge_configuration_exceptions"
    assert [registry.get_sample_value(name, {"state": state}) for state in ("holding", "ended")] == [3, 2]
    assert registry.get_sample_value("weighbridge_configuration_last_reload_success_timestamp_seconds") == 7.0
    assert registry.get_sample_value("weighbridge_configuration_generation") == 1


@pytest.mark.parametrize(("versions", "last"), [(20, ""), (21, "and 1 more"), (45, "and 25 more")])
def test_twenty_errors_of_crds_are_told_and_the_others_counted(versions: int, last: str) -> None:
    head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.org}\n"
    spec = "spec:\n  group: example.org\n  scope: Namespaced\n  names: {plural: as, singular: a, kind: A, listKind: AList}\n  versions:\n"
    properties = ", ".join(f"p{number}: {{}}" for number in range(versions))
    schema = f"{{openAPIV3Schema: {{type: object, properties: {{{properties}}}}}}}"
    text = f"{head}{spec}  - {{name: v1, served: true, storage: true, schema: {schema}}}\n"
    (document,) = documents("crds.yaml", text.encode())
    (found,) = manifests(document)
    assert isinstance(found, Manifest)
    with pytest.raises(InputError) as raised:
        accepted_crds(["crds.yaml"], [found])
    lines = str(raised.value).splitlines()
    assert [line for line in lines if not line.startswith("crds.yaml:")] == [last][: bool(last)]
    assert len(lines) == 20 + bool(last)
