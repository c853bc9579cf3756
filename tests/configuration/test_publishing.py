"""A configuration comes into force by the file, by sections of namespaces, and by the time."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from tests.configuration.objects import HEAD, MODEL, config_map, finding, request
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.configuration.file import ConfigurationFile
from weighbridge.webhook.server.publisher import Publisher
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.texts.logs import FIELDS


class Clock:
    """A clock that moves only when a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 6, 30, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def service() -> Service:
    """A service with the default configuration."""
    return Service(ServerSettings(), Facts(Definitions()), DEFAULT)


def metric(service: Service, sample: str) -> float:
    """The value of one sample."""
    (line,) = (line for line in generate_latest(service.metrics.registry).decode().splitlines() if line.startswith(f"{sample} "))
    return float(line.rpartition(" ")[2])


def published(service: Service, path: Path, text: str, clock: Clock) -> Publisher:
    """The publisher of a file with this text after the header."""
    path.write_text(HEAD + text)
    file = ConfigurationFile(str(path))
    return Publisher(service, file.read().config, file, clock=clock)


def test_a_new_file_is_put_in_force_whole(service: Service, tmp_path: Path) -> None:
    publisher = published(service, tmp_path / "c.yaml", "references: deny\n", Clock())
    before = service.config
    asyncio.run(publisher.refresh())
    assert service.config is before
    (tmp_path / "c.yaml").write_text(HEAD + "references: audit\nrules: {LLMKUBE-001: warn}\n")
    asyncio.run(publisher.refresh())
    assert (service.config.references, service.config.rules) == ("audit", {"LLMKUBE-001": "warn"})
    assert before.references == "deny"
    assert metric(service, "weighbridge_configuration_generation") == 2
    assert metric(service, 'weighbridge_configuration_reloads_total{result="loaded"}') == 1


def test_a_bad_file_is_logged_and_counted_and_the_last_good_one_stays(
    service: Service, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    publisher = published(service, tmp_path / "c.yaml", "references: deny\n", Clock())
    (tmp_path / "c.yaml").write_text(HEAD + "rulez: {}\nreferences: maybe\n")
    for _ in range(3):
        asyncio.run(publisher.refresh())
    assert service.config.references == "deny"
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.getMessage() == "the configuration can't be used, the one before stays"
    told = getattr(record, FIELDS)
    assert told["count"] == 2
    assert told["mistakes"][0].endswith(":3:1: rulez: unknown key; did you mean rules?")
    assert metric(service, "weighbridge_configuration_last_reload_successful") == 0
    assert metric(service, 'weighbridge_configuration_reloads_total{result="refused"}') == 1
    (tmp_path / "c.yaml").write_text(HEAD + "references: audit\n")
    asyncio.run(publisher.refresh())
    assert (service.config.references, metric(service, "weighbridge_configuration_last_reload_successful")) == ("audit", 1)


def test_the_hash_is_that_of_the_file(service: Service, tmp_path: Path) -> None:
    publisher = published(service, tmp_path / "c.yaml", "references: deny\n", Clock())
    hashes = []
    for action in ("warn", "audit", "warn"):
        (tmp_path / "c.yaml").write_text(HEAD + f"references: {action}\n")
        asyncio.run(publisher.refresh())
        hashes.append(metric(service, "weighbridge_configuration_hash"))
    assert hashes[0] == hashes[2] != hashes[1]


def test_an_exception_ends_without_anything_being_written(service: Service, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    text = "exceptions:\n- {rules: ['*'], match: {names: [m]}, reason: until noon, expires: '2026-06-30T13:00:00Z'}\n"
    publisher = published(service, tmp_path / "c.yaml", text, clock)

    def weight() -> Severity:
        from weighbridge.policies.verdict.judgement import enforce

        return enforce([finding()], service.config, request())[0].severity

    asyncio.run(publisher.refresh())
    assert weight() is Severity.NOTE
    clock.now += timedelta(hours=1)
    asyncio.run(publisher.refresh())
    assert weight() is Severity.ERROR
    asyncio.run(publisher.refresh())
    assert [record.getMessage() for record in caplog.records] == ["exceptions[0] from * ended: 2026-06-30T13:00:00Z (until noon)"]
    assert metric(service, 'weighbridge_configuration_exceptions{state="ended"}') == 1
    assert metric(service, "weighbridge_configuration_generation") == 2


def test_what_namespaces_bring_comes_and_goes(service: Service) -> None:
    publisher = Publisher(service, DEFAULT, config_maps=[config_map("references: deny")], clock=Clock())

    def refreshed() -> tuple[Configuration, float, float]:
        asyncio.run(publisher.refresh())
        name = "weighbridge_namespace_configurations"
        return service.config, metric(service, f'{name}{{result="used"}}'), metric(service, f'{name}{{result="refused"}}')

    assert service.config.within("team-a").references == "deny"
    publisher.put_config_map(config_map("rules: {LLMKUBE-003: deny}", name="second"))
    config, used, refused = refreshed()
    assert (config.ruling("LLMKUBE-003", Severity.WARNING, MODEL, "team-a").action, used, refused) == ("deny", 2, 0)
    publisher.put_config_map(config_map("references: off"))
    config, used, refused = refreshed()
    assert (config.within("team-a").references, used, refused, len(config.notes["team-a"])) == ("warn", 1, 1, 1)
    publisher.discard_config_map("team-a", "weighbridge")
    publisher.discard_config_map("team-a", "never-there")
    assert refreshed()[1:] == (1, 0)
    publisher.replace_config_maps([])
    config, used, _ = refreshed()
    assert (config.sections_of("team-a"), config.notes, used) == ((), {}, 0)


def test_a_section_is_compared_with_the_file_anew_when_that_changes(service: Service, tmp_path: Path) -> None:
    publisher = published(service, tmp_path / "c.yaml", "references: audit\n", Clock())
    publisher.put_config_map(config_map("references: warn"))
    asyncio.run(publisher.refresh())
    assert service.config.within("team-a").references == "warn"
    (tmp_path / "c.yaml").write_text(HEAD + "references: deny\n")
    asyncio.run(publisher.refresh())
    assert (service.config.within("team-a").references, list(service.config.notes)) == ("deny", ["team-a"])


def test_a_failure_of_ours_leaves_the_last_good_one_and_the_server_alone(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publisher = published(service, tmp_path / "c.yaml", "references: deny\n", Clock())

    def fail(*_: object) -> Configuration:
        raise RuntimeError("a defect")

    monkeypatch.setattr("weighbridge.webhook.server.publisher.with_config_maps", fail)
    (tmp_path / "c.yaml").write_text(HEAD + "references: audit\n")
    asyncio.run(publisher.refresh())
    assert (service.config.references, metric(service, "weighbridge_configuration_last_reload_successful")) == ("deny", 0)
