"""Each alert fires when its condition occurs, and not before: the pages are the program's own, and the engine is Prometheus'.

The alerts that need an API server are in test_install.py and test_documentation.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from prometheus_client import generate_latest

from tests.installation.prometheus import Series, fires
from tests.webhook.asgi import post
from tests.webhook.reviews import Judge, model, review
from tests.webhook.serving import Server, serving, wait_for
from tests.webhook.test_certificate_faults import NAME, NOW, Watched, _pair, _put
from tests.webhook.test_cluster import Silent, a_node
from tests.webhook.test_configuration_reload import write
from weighbridge.certs.authority import AUTHORITY_VALIDITY, create_authority
from weighbridge.certs.serving_certificate import issue
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.kinds import NODES
from weighbridge.webhook.cluster.live_facts import Cluster
from weighbridge.webhook.cluster.reflector import WatchState
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.installation.alerts import ALERTS
from weighbridge.webhook.installation.dashboard import PANELS
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.certificates import ServingCertificate
from weighbridge.webhook.server.health import create_health_app
from weighbridge.webhook.server.live_cluster import _show
from weighbridge.webhook.server.metrics import Metrics
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings

_BY_NAME: Final = {alert.name: alert for alert in ALERTS}
_NOW: Final = NOW.timestamp()
_DAY: Final = timedelta(days=1)


class Replica:
    """A replica in this process, whose clock tests can move and whose engine they can break."""

    def __init__(self) -> None:
        self.now, self.judge = 100.0, Judge()
        self.service = Service(
            ServerSettings(), Facts(Definitions.from_manifests([])), Configuration(), decide=self.judge, clock=lambda: self.now
        )
        create_health_app(self.service)
        self._app = create_app(self.service)
        self.call()

    def call(self) -> int:
        """The status of one call."""
        return post(self._app, "/validate", review()).status

    @property
    def page(self) -> str:
        """Its metrics."""
        return generate_latest(self.service.metrics.registry).decode()


Change = Callable[[Replica], None]


def _fails(replica: Replica) -> None:
    replica.judge.decision = ZeroDivisionError()
    assert replica.call() == 200


def _takes_long(replica: Replica) -> None:
    def tick() -> float:
        replica.now += 0.8
        return replica.now

    replica.service.clock = tick
    replica.call()


def _starts_anew(replica: Replica) -> None:
    replica.service.readiness.hold("cluster", "reading nodes")
    assert replica.call() == 503


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("WeighbridgeUnavailable", lambda replica: replica.service.readiness.hold("cluster", "reading nodes")),
        ("WeighbridgeReplicaNotReady", lambda replica: replica.service.readiness.fail("certificate", "it has expired")),
        ("WeighbridgeCallsTurnedAway", _starts_anew),
        ("WeighbridgeEngineFails", _fails),
        ("WeighbridgeSlow", _takes_long),
    ],
)
def test_what_goes_wrong_in_a_replica(promql: Path, name: str, change: Change) -> None:
    replica = Replica()
    before = [replica.page]
    change(replica)
    assert fires(promql, _BY_NAME[name], before, [replica.page], _NOW)


def test_a_replica_that_is_gone(promql: Path) -> None:
    page = Replica().page
    assert fires(promql, _BY_NAME["WeighbridgeUnavailable"], [page], [], _NOW)
    assert not fires(promql, _BY_NAME["WeighbridgeUnavailable"], [page, page], [page], _NOW)


def test_a_certificate_that_will_end(promql: Path, tmp_path: Path) -> None:
    watched = Watched(tmp_path / "tls", _pair(NOW - _DAY, NOW + 365 * _DAY))
    before = [_page_of(watched)]
    watched.put(_pair(NOW - 20 * _DAY, NOW + 10 * _DAY))
    assert fires(promql, _BY_NAME["WeighbridgeCertificateExpires"], before, [_page_of(watched)], _NOW)


def test_a_certificate_that_has_ended(promql: Path, tmp_path: Path) -> None:
    watched = Watched(tmp_path / "tls", _pair(NOW - _DAY, NOW + _DAY))
    before = [_page_of(watched)]
    watched.now += 2 * _DAY
    watched.certificate.refresh()
    assert fires(promql, _BY_NAME["WeighbridgeCertificateFault"], before, [_page_of(watched)], _NOW)


def test_an_authority_that_ends(promql: Path, tmp_path: Path) -> None:
    pages: list[str] = []
    for number, begin in enumerate((NOW, NOW - AUTHORITY_VALIDITY + 60 * _DAY)):
        authority = create_authority(begin)
        directory = _put(tmp_path / str(number), issue(authority, [NAME], NOW))
        (directory / "ca.crt").write_bytes(authority.certificate_pem())
        metrics = Metrics()
        ServingCertificate(directory, metrics, names=[NAME], clock=lambda: NOW)
        pages.append(generate_latest(metrics.registry).decode())
    fresh, old = pages
    assert fires(promql, _BY_NAME["WeighbridgeAuthorityExpires"], [fresh], [old], _NOW)


def test_an_installation_without_an_authority_has_none_that_ends(promql: Path, tmp_path: Path) -> None:
    page = _page_of(Watched(tmp_path / "tls", _pair(NOW - _DAY, NOW + 365 * _DAY)))
    assert not fires(promql, _BY_NAME["WeighbridgeAuthorityExpires"], [page], [page], _NOW)


def test_a_certificate_that_cannot_be_read(promql: Path, tmp_path: Path) -> None:
    watched = Watched(tmp_path / "tls", _pair(NOW - _DAY, NOW + 365 * _DAY))
    before = [_page_of(watched)]
    (watched.directory / "tls.crt").write_text("nonsense")
    watched.certificate.refresh()
    assert fires(promql, _BY_NAME["WeighbridgeCertificateNotRead"], before, [_page_of(watched)], _NOW)


def _page_of(watched: Watched) -> str:
    return generate_latest(watched.metrics.registry).decode()


def test_facts_that_get_old(promql: Path) -> None:
    api, now, replica = Silent(), [0.0], Replica()
    cluster = Cluster(api, bundled_definitions(), longest_age=1000, clock=lambda: now[0])
    cluster.replace(NODES, [a_node("a", 2)])
    nodes = next(reflector for reflector in cluster.reflectors if reflector.kind == NODES)
    nodes.state, nodes.is_settled, nodes._lives = WatchState.FOLLOWING, True, True
    _show(replica.service, cluster, nodes)
    before = [replica.page]
    api.there = False
    now[0] = 120.0
    asyncio.run(cluster.heartbeat.beat())
    assert fires(promql, _BY_NAME["WeighbridgeFactsStale"], before, [replica.page], _NOW)


def test_configurations(promql: Path, tmp_path: Path) -> None:
    """A configuration that can't be used, one that differs from another replica's, and one with an exception that has ended."""
    config = tmp_path / "config.yaml"
    write(config, "rules: {}\n")
    with serving(tmp_path / "tls", ["--config", str(config), "--reload-seconds", "0.1"]) as server:
        first = _metrics(server)
        write(config, "exceptions:\n- {rules: ['*'], match: {kinds: [Model]}, reason: r, expires: 2020-01-01}\n")
        wait_for(lambda: server.metric("weighbridge_configuration_generation") > 1)
        second = _metrics(server)
        write(config, "rulez: {}\n")
        wait_for(lambda: server.metric("weighbridge_configuration_last_reload_successful") == 0)
        third = _metrics(server)
    assert fires(promql, _BY_NAME["WeighbridgeExceptionEnded"], [first], [second], _NOW)
    assert fires(promql, _BY_NAME["WeighbridgeConfigurationsDiffer"], [first, first], [first, second], _NOW)
    assert fires(promql, _BY_NAME["WeighbridgeConfigurationRefused"], [second], [third], _NOW)


def _metrics(server: Server) -> str:
    return server.page("/metrics")[1]


def test_every_alert_is_caused_by_a_test() -> None:
    texts = [(Path(__file__).parent / name).read_text() for name in (Path(__file__).name, "test_install.py", "test_documentation.py")]
    assert [alert.name for alert in ALERTS if not any(f'"{alert.name}"' in text for text in texts)] == []


def test_every_curve_of_the_dashboard_has_something_to_show(promql: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "tls") as server:
        server.call(review())
        first = _metrics(server)
        server.call(review(model(source="pvc://weights")))
        wait_for(lambda: 'decision="deny"' in _metrics(server))
        second = _metrics(server)
    series = Series()
    for minute in range(70):
        series.add(minute * 60_000, [first if minute < 68 else second])
    curves = [expression for panel in PANELS for expression in panel.curves.values()]
    results = series.evaluate(promql, curves, [69 * 60_000])
    silent = [expression for expression, (found,) in zip(curves, results, strict=True) if not found]
    # These series don't exist without a cluster.
    assert [expression for expression in silent if "weighbridge_facts_" not in expression and "crd_missing" not in expression] == []
