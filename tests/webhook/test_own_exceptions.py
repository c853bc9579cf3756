"""Ignores in an object's annotation, at the webhook and by its clock."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.webhook.asgi import post
from tests.webhook.reviews import model, review
from weighbridge.policies.families.configuration import parse
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings

HARDWARE = {"accelerator": "rocm", "gpu": {"count": 1, "vendor": "nvidia"}}


@pytest.mark.parametrize("mode", ["deny", "audit"])
def test_an_annotation_ends_while_the_server_runs(mode: str) -> None:
    now = [datetime(2027, 1, 31, 23, 59, tzinfo=UTC)]
    config = parse({"ownExceptions": ["LLMKUBE-001"], "mode": mode}).at(datetime(2027, 1, 1, tzinfo=UTC))
    app = create_app(Service(ServerSettings(), load_facts(), config, now=lambda: now[0]))
    obj = model(hardware=HARDWARE)
    obj["metadata"]["annotations"] = {"weighbridge.dev/ignore": "[LLMKUBE-001] moves to ROCm until 2027-01-31"}

    def answered() -> tuple[bool, dict[str, str]]:
        response = post(app, "/validate", review(obj)).json["response"]
        return response["allowed"], response.get("auditAnnotations", {})

    allowed, audited = answered()
    assert (allowed, audited["exempted"]) == (True, "LLMKUBE-001: moves to ROCm until 2027-01-31 (weighbridge.dev/ignore)")
    assert "would-refuse" not in audited
    now[0] = datetime(2027, 2, 1, tzinfo=UTC)
    allowed, audited = answered()
    assert (allowed, "exempted" in audited, "would-refuse" in audited) == (mode == "audit", False, mode == "audit")


def test_without_the_setting_no_annotation_counts() -> None:
    app = create_app(Service(ServerSettings(), load_facts(), parse({})))
    obj = model(hardware=HARDWARE)
    obj["metadata"]["annotations"] = {"weighbridge.dev/ignore": "[LLMKUBE-001] moves to ROCm"}
    assert post(app, "/validate", review(obj)).json["response"]["allowed"] is False


def test_a_refusal_of_the_schema_is_never_excepted() -> None:
    """The webhook makes the checks that an installed CRD lacks."""
    app = create_app(Service(ServerSettings(), load_facts(), parse({"ownExceptions": ["*"], "crdRules": "always"})))
    obj = model(hardware={"gpu": {"count": -1}})
    obj["metadata"]["annotations"] = {"weighbridge.dev/ignore": "[K8S-003] a fixture"}
    response = post(app, "/validate", review(obj)).json["response"]
    assert (response["allowed"], "spec.hardware.gpu.count" in response["status"]["message"]) == (False, True)


@pytest.mark.parametrize(
    "annotation", [None, 5, ["x"], {"a": "b"}, "", "\n\n", "[", "[]" * 5000, "[LLMKUBE-001]\n" * 5000, "[LLMKUBE-001] until "]
)
def test_odd_annotations_except_nothing(annotation: object) -> None:
    app = create_app(Service(ServerSettings(), load_facts(), parse({"ownExceptions": ["*"]})))
    obj = model(hardware=HARDWARE)
    obj["metadata"]["annotations"] = {"weighbridge.dev/ignore": annotation}
    assert post(app, "/validate", review(obj)).json["response"]["allowed"] is False
