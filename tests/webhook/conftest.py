"""The applications under test, without a socket."""

from __future__ import annotations

import pytest
from starlette.types import ASGIApp

from tests.webhook.reviews import Judge
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings


@pytest.fixture
def judge() -> Judge:
    """A replacement for the engine."""
    return Judge()


@pytest.fixture
def service(judge: Judge) -> Service:
    """The service that the applications share."""
    settings = ServerSettings(max_body=100_000, concurrency=4)
    return Service(settings, Facts(Definitions.from_manifests([])), Configuration(), decide=judge)


@pytest.fixture
def app(service: Service) -> ASGIApp:
    """The webhook's application."""
    return create_app(service)
