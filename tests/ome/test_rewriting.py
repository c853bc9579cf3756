"""How OME's webhook rewrites a service: each expected object is as Go encodes it (OME v0.1.5), without `status` and creation times."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.ome.records import DEFINITIONS
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.ome.kinds import gvk_of
from weighbridge.policies.families.ome.upstream.rewrites import rewrite
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide

GVK = gvk_of("InferenceService")
DEFINITION = DEFINITIONS.get(GVK)


def service(spec: Any) -> JSONObject:
    """A service; without a spec if `spec` is `None`."""
    given = {"spec": spec} if spec is not None else {}
    return {"apiVersion": GVK.api_version, "kind": GVK.kind, "metadata": {"name": "chat", "namespace": "a"}, **given}


def engine(**fields: Any) -> JSONObject:
    """A spec with only an engine."""
    return {"engine": fields}


def volume(**source: Any) -> JSONObject:
    """A spec with one volume of the engine."""
    return engine(volumes=[{"name": "v", **source}])


_CLAIM = {"accessModes": ["ReadWriteOnce"], "dataSource": {"kind": "PersistentVolumeClaim", "name": "old"}}
_FIELD = {"resourceFieldRef": {"resource": "limits.cpu"}}

#: The written spec and the spec as Go encodes it, without the fields that Go adds to every spec.
CASES: dict[str, tuple[Any, Any]] = {
    "nothing": (None, {}),
    "a runtime": ({"runtime": {"kind": "X"}}, {"runtime": {"kind": "X", "name": ""}}),
    "a model": ({"model": {}}, {"model": {"name": ""}}),
    "a runner": (engine(runner={"image": "x"}), engine(runner={"image": "x", "name": "", "resources": {}})),
    "a runner's lists": (
        engine(runner={"name": "r", "env": [{"value": "a"}], "ports": [{"name": "http"}], "volumeMounts": [{}]}),
        engine(
            runner={
                "name": "r",
                "env": [{"name": "", "value": "a"}],
                "ports": [{"name": "http", "containerPort": 0}],
                "volumeMounts": [{"name": "", "mountPath": ""}],
                "resources": {},
            }
        ),
    ),
    "a worker": (
        engine(worker={"size": 1, "runner": {"image": "x"}}),
        engine(worker={"size": 1, "runner": {"image": "x", "name": "", "resources": {}}}),
    ),
    "probes": (
        engine(containers=[{"name": "c", "livenessProbe": {"httpGet": {"path": "/"}}, "startupProbe": {"tcpSocket": {}}}]),
        engine(
            containers=[
                {
                    "name": "c",
                    "livenessProbe": {"httpGet": {"path": "/", "port": 0}},
                    "startupProbe": {"tcpSocket": {"port": 0}},
                    "resources": {},
                }
            ]
        ),
    ),
    "a scaler's reference": ({"kedaConfig": {"authenticationRef": {}}}, {"kedaConfig": {"authenticationRef": {"name": ""}}}),
    "a scaler's empty kind": (
        {"kedaConfig": {"authenticationRef": {"kind": "", "name": "a"}}},
        {"kedaConfig": {"authenticationRef": {"name": "a"}}},
    ),
    "an empty policy": ({"acceleratorSelector": {"policy": ""}}, {"acceleratorSelector": {}}),
    "an empty metric": (engine(scaleMetric=""), engine(scaleMetric="")),
    "quantities": (
        engine(runner={"name": "r", "resources": {"limits": {"cpu": 1.5, "nvidia.com/gpu": 8, "memory": "1024Mi"}}}),
        engine(runner={"name": "r", "resources": {"limits": {"cpu": "1500m", "nvidia.com/gpu": "8", "memory": "1Gi"}}}),
    ),
    "what is empty": (
        engine(runner={"name": "r", "args": [], "resources": {}}, tolerations=[], labels={}, affinity={}),
        engine(runner={"name": "r", "resources": {}}, affinity={}),
    ),
    "nulls": (
        engine(runner=None, nodeSelector={"a": None}, containers=[None], tolerations=[None]),
        engine(nodeSelector={"a": ""}, containers=[{"name": "", "resources": {}}], tolerations=[{}]),
    ),
    "an affinity": (
        engine(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {}}}),
        engine(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": None}}}),
    ),
    "a preferred affinity": (
        engine(affinity={"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{}]}}),
        engine(
            affinity={
                "podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 0, "podAffinityTerm": {"topologyKey": ""}}]}
            }
        ),
    ),
    "several sources": (volume(projected={"defaultMode": 1}), volume(projected={"defaultMode": 1, "sources": None})),
    "no sources": (volume(projected={"sources": []}), volume(projected={"sources": []})),
    "ScaleIO": (
        volume(scaleIO={"gateway": "g"}),
        volume(scaleIO={"gateway": "g", "system": "", "secretRef": None}),
    ),
    "a claim": (
        volume(ephemeral={"volumeClaimTemplate": {"spec": _CLAIM}}),
        volume(
            ephemeral={
                "volumeClaimTemplate": {
                    "metadata": {},
                    "spec": {**_CLAIM, "dataSource": {**_CLAIM["dataSource"], "apiGroup": None}, "resources": {}},  # type: ignore[dict-item]
                }
            }
        ),
    ),
    "an amount of a container": (
        engine(runner={"name": "r", "env": [{"name": "CPUS", "valueFrom": _FIELD}]}),
        engine(
            runner={
                "name": "r",
                "env": [{"name": "CPUS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "0"}}}],
                "resources": {},
            }
        ),
    ),
    "an empty protocol": (
        engine(runner={"name": "r", "ports": [{"containerPort": 80, "protocol": ""}]}),
        engine(runner={"name": "r", "ports": [{"containerPort": 80}], "resources": {}}),
    ),
}


@pytest.mark.parametrize(("given", "encoded"), CASES.values(), ids=CASES)
def test_a_service_is_what_go_encodes(given: Any, encoded: Any) -> None:
    assert DEFINITION is not None
    written = service(given)
    kept = copy.deepcopy(written)
    found = rewrite(written, DEFINITION.openapi_schema)
    assert found.object == service({"predictor": {}, **encoded})
    assert written == kept


def test_a_spec_of_another_type_is_left_to_the_schema() -> None:
    assert DEFINITION is not None
    assert rewrite(service("a"), DEFINITION.openapi_schema).object == service("a")


def decided(spec: Any, phase: Phase = Phase.WHOLE, subresource: str = "") -> Decision:
    """The verdict on a new service if nothing is known about the cluster."""
    request = Request(
        "1",
        Operation.CREATE,
        GVK,
        service(spec),
        namespace="a",
        name="chat",
        field_validation=FieldValidation.STRICT,
        subresource=subresource,
    )
    return decide(request, from_objects([], DEFINITIONS), DEFAULT, phase)


def of_schema(decision: Decision) -> list[str]:
    """What the schema says."""
    return [str(finding) for finding in decision.findings if finding.rule.startswith("K8S-")]


@pytest.mark.parametrize(
    "spec",
    [
        {"engine": {}, "runtime": {"kind": "ServingRuntime"}},
        engine(containers=[{"image": "x"}]),
        engine(runner={"name": "r", "env": [{"value": "a"}], "ports": [{"name": "http"}], "volumeMounts": [{}]}),
        {"acceleratorSelector": {"policy": ""}},
        engine(runner={"name": "r", "resources": {"limits": {"cpu": 1.5}}}),
    ],
)
def test_the_schema_takes_what_the_webhook_completes(spec: Any) -> None:
    assert of_schema(decided(spec)) == []
    assert of_schema(decided(spec, Phase.APISERVER)) != []


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"kedaConfig": {"authenticationRef": {}}}, "spec.kedaConfig.authenticationRef.name in body should be at least 1 chars long"),
        (
            engine(kedaConfig={"authenticationRef": {}}),
            "spec.engine.kedaConfig.authenticationRef.name in body should be at least 1 chars long",
        ),
        (volume(projected={}), 'spec.engine.volumes[0].projected.sources in body must be of type array: "null"'),
        (engine(scaleMetric=""), 'spec.engine.scaleMetric: Unsupported value: ""'),
    ],
)
def test_the_schema_refuses_what_the_webhook_leaves_empty(spec: Any, words: str) -> None:
    decision = decided(spec)
    assert not decision.allowed
    assert words in decision.message


def test_each_value_that_the_webhook_adds_names_its_origin() -> None:
    added = {tuple(map(str, entry.path)): entry for entry in decided({"engine": {}, "runtime": {}}).provenance if entry.source != "CRD"}
    assert set(added) == {("spec", "predictor"), ("spec", "runtime", "name")}
    assert {entry.source for entry in added.values()} == {"OME's webhook"}
