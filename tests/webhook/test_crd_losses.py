"""The log about checks that the installed CRDs lack, and which release's CRDs a server uses."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from prometheus_client import generate_latest

from tests.configuration.objects import HEAD
from tests.engine.test_crd_rules import crd, opened, without_rules
from tests.webhook.test_cluster import Silent
from weighbridge.policies.apiserver.definitions import Definitions, Release, StandIn
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.kinds import CRDS
from weighbridge.policies.families import families, family_groups
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.server_release import ServerRelease
from weighbridge.webhook.cluster.live_facts import Cluster
from weighbridge.webhook.configuration.file import ConfigurationFile
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.inputs.facts import bundled_definitions, definitions_among
from weighbridge.webhook.server.crd_losses import CRDLosses
from weighbridge.webhook.server.publisher import Publisher
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.texts.logs import FIELDS

MODEL = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")


def serving(*installed: JSONObject) -> Service:
    """A service that knows these CRDs."""
    definitions = definitions_among(installed) if installed else bundled_definitions()
    return Service(ServerSettings(), from_objects([], definitions), DEFAULT)


def stripped() -> JSONObject:
    """The Model's CRD without its rules."""
    found: JSONObject = without_rules(without_rules(crd(), "hardware.gpu"), "hardware.gpu.resourceClaims")
    return found


def others() -> list[JSONObject]:
    """The other CRDs, complete."""
    return [found for found in bundled_crds() if found["metadata"]["name"] != "models.inference.llmkube.dev"]


def missing(service: Service) -> dict[str, float]:
    """The values of the metric by kind, without zeros."""
    lines = generate_latest(service.metrics.registry).decode().splitlines()
    samples = (line.partition(" ") for line in lines if line.startswith("weighbridge_crd_missing_checks{"))
    return {name.partition('"')[2].partition('"')[0]: float(value) for name, _, value in samples if float(value)}


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, Any]]:
    """The lines of the log, with their fields."""
    return [(record.getMessage(), getattr(record, FIELDS, {})) for record in caplog.records if record.name == "weighbridge.crds"]


def test_what_an_installed_crd_lacks_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    service = serving(stripped(), *others())
    losses = CRDLosses(service)
    with caplog.at_level(logging.INFO):
        asyncio.run(losses.refresh())
        asyncio.run(losses.refresh())
    assert missing(service) == {"Model": 2}
    ((message, fields),) = told(caplog)
    assert message == (
        "the installed CRD of Model lacks 2 checks of v0.9.19, so the webhook makes them: spec.hardware.gpu.resourceClaims"
        " (x-kubernetes-validations), spec.hardware.gpu (x-kubernetes-validations)"
    )
    assert fields == {
        "kind": str(MODEL),
        "release": "v0.9.19",
        "lacks": ["spec.hardware.gpu.resourceClaims: x-kubernetes-validations", "spec.hardware.gpu: x-kubernetes-validations"],
        "unknownFields": [],
    }


def test_calls_are_answered_between_the_kinds() -> None:
    losses, turns = CRDLosses(serving(crd(), *others())), 0

    async def other_work() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def both() -> None:
        beside = asyncio.ensure_future(other_work())
        await losses.refresh()
        beside.cancel()

    asyncio.run(both())
    assert turns >= sum(len(family.kinds) for family in families())


class Unread:
    """Releases of every kind that must not be read."""

    def groups(self) -> Iterator[str]:
        return family_groups()

    def of(self, group: str) -> tuple[StandIn, ...]:
        return ()

    def served_by(self, server: ServerRelease) -> Unread:
        return self

    def origin(self, gvk: GroupVersionKind) -> None:
        return None

    def releases(self, gvk: GroupVersionKind) -> tuple[Release, ...]:
        def read() -> NoReturn:
            raise AssertionError(f"{gvk} is read")

        return (Release("v1.0.0", read, read),)


def test_no_crd_is_read_where_none_is_installed(caplog: pytest.LogCaptureFixture) -> None:
    service = serving()
    service.facts = from_objects([], Definitions().completed_by(Unread()))
    with caplog.at_level(logging.INFO):
        asyncio.run(CRDLosses(service).refresh())
    assert [message for message, _ in told(caplog)] == ["the webhook makes all checks of the CRDs that ship"]


def test_many_losses_are_told_in_short(caplog: pytest.LogCaptureFixture) -> None:
    found = crd()
    for field in ("hardware", "resources", "files", "prefetch"):
        opened(found, field)
    with caplog.at_level(logging.INFO):
        asyncio.run(CRDLosses(serving(found, *others())).refresh())
    ((message, _),) = told(caplog)
    assert message.startswith("the installed CRD of Model lacks 4 checks of v0.9.19")
    assert message.endswith("spec.hardware (schema), ...")


def test_without_installed_crds_nothing_is_missing(caplog: pytest.LogCaptureFixture) -> None:
    service = serving()
    losses = CRDLosses(service)
    with caplog.at_level(logging.INFO):
        asyncio.run(losses.refresh())
        asyncio.run(losses.refresh())
    ((message, fields),) = told(caplog)
    assert message == "the webhook makes all checks of the CRDs that ship"
    assert {"Model", "InferenceService", "InferenceModel"} <= set(fields["kinds"])
    assert missing(service) == {}


def test_a_crd_that_is_replaced_while_serving_is_compared_anew(caplog: pytest.LogCaptureFixture) -> None:
    service = serving()
    cluster = Cluster(Silent(), bundled_definitions())
    service.live, service.reconfigure = cluster.facts, cluster.configure
    losses = CRDLosses(service)
    cluster.replace(CRDS, [crd(), *others()])
    with caplog.at_level(logging.INFO):
        asyncio.run(losses.refresh())
        cluster.put(CRDS, stripped())
        asyncio.run(losses.refresh())
        assert missing(service) == {"Model": 2}
        cluster.put(CRDS, crd())
        asyncio.run(losses.refresh())
    assert missing(service) == {}
    assert [message for message, _ in told(caplog)][1:] == ["the webhook no longer makes checks that the installed CRD of Model lacks"]


def test_a_crd_of_which_only_the_status_changes_is_not_read_again() -> None:
    cluster = Cluster(Silent(), bundled_definitions())
    cluster.replace(CRDS, [crd(), *others()])
    before = cluster.facts().definitions.installed(MODEL)
    cluster.put(CRDS, {**crd(), "status": {"storedVersions": ["v1alpha1"]}})
    assert cluster.facts().definitions.installed(MODEL) is before
    cluster.put(CRDS, without_rules(crd(), "hardware.gpu"))
    assert cluster.facts().definitions.installed(MODEL) is not before


@pytest.mark.parametrize("is_live", [False, True])
def test_the_crds_that_ship_follow_a_version_that_is_reloaded(tmp_path: Path, is_live: bool) -> None:
    service = serving()
    if is_live:
        # Weighbridge has no right to read the cluster's CRDs.
        cluster = Cluster(Silent(), bundled_definitions())
        cluster.unknown(CRDS)
        service.live, service.reconfigure = cluster.facts, cluster.configure
    path = tmp_path / "c.yaml"
    path.write_text(HEAD)
    publisher = Publisher(service, DEFAULT, ConfigurationFile(str(path)))
    assert "prefetch" in fields(service)
    path.write_text(HEAD + "llmkube: {version: v0.9.5}\n")
    asyncio.run(publisher.refresh())
    assert "prefetch" not in fields(service)
    path.write_text(HEAD + "llmkube: {version: v0.9.19}\n")
    asyncio.run(publisher.refresh())
    assert "prefetch" in fields(service)


def fields(service: Service) -> Any:
    """The fields that a Model's spec may have."""
    definition = service.facts_now().definitions.get(MODEL)
    assert definition is not None
    return definition.openapi_schema["properties"]["spec"]["properties"]


def test_installed_crds_stay_whatever_version_is_configured() -> None:
    service = serving(crd(version="v0.9.5"))
    service.put_in_force(parse({"llmkube": {"version": "v0.9.19"}}))
    assert "prefetch" not in fields(service)
