"""The pages for kubelet."""

from __future__ import annotations

import pytest

from tests.webhook.asgi import Answer, post
from weighbridge.webhook.server.health import create_health_app
from weighbridge.webhook.server.service import Service


def _get(service: Service, path: str) -> Answer:
    return post(create_health_app(service), path, b"", method="GET", headers={})


@pytest.mark.parametrize("path", ["/livez", "/healthz", "/readyz"])
def test_healthy_server_says_ok(service: Service, path: str) -> None:
    answer = _get(service, path)
    assert (answer.status, answer.body) == (200, b"ok\n")


def test_readiness_names_what_is_awaited(service: Service) -> None:
    service.readiness.hold("facts", "not synced")
    service.readiness.hold("configuration", "not read")
    answer = _get(service, "/readyz")
    assert (answer.status, answer.body) == (503, b"facts: not synced\nconfiguration: not read\n")
    assert service.metrics.registry.get_sample_value("weighbridge_ready") == 0
    service.readiness.release("facts")
    service.readiness.release("configuration")
    assert _get(service, "/readyz").status == 200
    assert service.metrics.registry.get_sample_value("weighbridge_ready") == 1


def test_draining_server_is_alive_but_not_ready(service: Service) -> None:
    service.readiness.draining = True
    answer = _get(service, "/readyz")
    assert (answer.status, answer.body) == (503, b"draining\n")
    assert _get(service, "/livez").status == 200


@pytest.mark.parametrize(("path", "method", "status"), [("/mutate", "POST", 404), ("/", "GET", 404), ("/readyz", "POST", 405)])
def test_health_port_serves_nothing_else(service: Service, path: str, method: str, status: int) -> None:
    answer = post(create_health_app(service), path, b"", method=method)
    assert answer.status == status
    assert "error" in answer.json
