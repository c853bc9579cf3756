"""What OME's webhook refuses until its agent has read a model, and what its controller waits for."""

from __future__ import annotations

import pytest

from tests.ome.records import request_for
from tests.ome.test_where_a_service_ends import cluster, service
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.ome.predictions.service import predict
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.verdict.engine import decide

_NOT_YET = "ClusterBaseModel llama has no modelFormat yet; OME's agent writes it"
_OPEN = "{model: {name: llama}, engine: {}}"
_NAMED = "{model: {name: llama}, runtime: {name: srt}, engine: {}}"
_OWN_IMAGE = "{model: {name: llama}, engine: {runner: {name: ome-container, image: x}}}"


def predicted(spec: str, held: str) -> Prediction:
    """The prediction for a service."""
    found = predict(request_for(service(spec)), cluster(held), DEFAULT)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("spec", "held", "failure", "waits"),
    [
        (_OPEN, "no format, runtime", "ClusterBaseModel llama has no modelFormat yet, by which a runtime is selected", ""),
        # If the service names an image, the webhook admits it, and the controller selects the runtime.
        (_OWN_IMAGE, "no format, runtime", "", _NOT_YET),
        (_NAMED, "no format, runtime", "", _NOT_YET),
        (_OWN_IMAGE, "model, runtime", "", ""),
        # A field that the agent doesn't read stays as it is.
        (_OWN_IMAGE, "skipped, runtime", "no runtime can be selected for ClusterBaseModel llama", ""),
    ],
)
def test_a_service_fails_at_the_webhook_and_waits_in_the_controller(spec: str, held: str, failure: str, waits: str) -> None:
    found = predicted(spec, held)
    assert (found.failure, found.waits) == (failure, waits)
    assert not [entry for entry in found.unchecked if entry.reason == waits]
    assert found.as_json().get("waits", "") == waits


@pytest.mark.parametrize(
    ("held", "failure", "waits"),
    [
        # The controller writes the version of a format that has a name.
        ("model, versioned", "", "ClusterBaseModel llama has no modelFormat.version yet; OME's agent writes it"),
        # The agent doesn't read a model that it doesn't download.
        ("on a claim, runtime", "no runtime can be selected for ClusterBaseModel llama", ""),
        ("of a vendor, versioned", "no runtime can be selected for ClusterBaseModel llama", ""),
    ],
)
def test_a_service_waits_for_what_the_agent_will_read(held: str, failure: str, waits: str) -> None:
    found = predicted(_OWN_IMAGE, held)
    assert (found.failure, found.waits) == (failure, waits)


@pytest.mark.parametrize(("spec", "rules"), [(_OPEN, {"OME-173"}), (_OWN_IMAGE, set()), (_NAMED, set())])
def test_only_what_the_webhook_refuses_is_warned_of(spec: str, rules: set[str]) -> None:
    decision = decide(request_for(service(spec)), cluster("no format, runtime"), DEFAULT)
    assert decision.allowed
    assert {finding.rule for finding in decision.findings} == rules


def test_weights_that_are_not_known_are_no_failure() -> None:
    facts = cluster("model, runtime", whole=False)
    facts.objects.complete(
        besides=[("ome.io", kind) for kind in ("BaseModel", "ClusterBaseModel", "ServingRuntime", "ClusterServingRuntime")]
    )
    asked = service("{model: {name: llama, fineTunedWeights: [tuned]}, engine: {runner: {name: ome-container, image: x}}}")
    found = predict(request_for(asked), facts, DEFAULT)
    assert found is not None
    assert (found.failure, found.objects) == ("", [])
    decision = decide(request_for(asked), facts, DEFAULT)
    assert not [finding for finding in decision.findings if finding.rule in ("OME-160", "WB-003")]
