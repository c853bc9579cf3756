"""The smallest case that each difference between releases of Kubernetes changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.acceptance.answers import our_create, our_update
from tests.acceptance.definitions import one_version
from tests.admission_policies import changing
from tests.admission_policies.situations import binding, box, by, judged, known, policy
from tests.admission_policies.situations import request as written
from tests.apiserver.probe import request, send
from tests.apiserver.test_object_meta import errors_of, update_errors
from tests.devices.cluster import answer, claim, device, device_class, first_of, held, picked, slice_of, wish
from tests.devices.test_shared_devices import rule
from tests.export.parts import configuration, exported
from tests.placement.clusters import node, placed, pod
from tests.placement.test_volume_limits import bound, csi_node, driver
from tests.placement.test_volumes import using
from tests.pods.test_deployments import deployment
from weighbridge.policies.admission_policies.acceptance import problems_of
from weighbridge.policies.admission_policies.built_in.objects import read
from weighbridge.policies.admission_policies.declarations import read_policy
from weighbridge.policies.admission_policies.type_checks.checks import check_types
from weighbridge.policies.apiserver.definitions import Definitions, read_crd
from weighbridge.policies.apiserver.scale import decode_scale
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.cel.rules.rule_verdict import judge_rule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.outcome import OBJECT_BUDGET
from weighbridge.policies.devices import SchedulingAbortedError
from weighbridge.policies.devices.selectors import Selectors
from weighbridge.policies.devices.slices import read_slice
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.placement.message import room_by_preemption
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal
from weighbridge.policies.pods.validation.deployment import deployment_refusal
from weighbridge.policies.pods.validation.service import service_errors
from weighbridge.policies.schema.node import Schema, ValidationRule

_LONG: Final = "x" * 64


def _crd(**properties: Any) -> JSONObject:
    spec = {"type": "object", "properties": properties}
    return one_version(schema={"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}})


def stored(value: Any, metadata: Any = None, **schema: Any) -> str:
    """The answer to an object with a value at the place of a schema: the code, and the causes."""
    definition = read_crd(_crd(a=schema), server=release())[0]
    body = {"apiVersion": definition.gvk.api_version, "kind": "Thing", "metadata": {"name": "a"} | (metadata or {}), "spec": {"a": value}}
    found = send(definition, body)
    return " | ".join([str(found.code), *(f"{cause['field']}: {cause['message']}" for cause in found.causes)])


def warned(**schema: Any) -> str:
    """The warnings on a CRD with a schema."""
    return " | ".join(our_create(_crd(a=schema))["warnings"])


def ruled(rule: str, data: JSONObject | None = None, **properties: Any) -> str:
    """The result of a rule: the errors on the rule itself, or its result and cost on an object."""
    entry = {"rule": f"({rule}) == dyn('no')", "message": "m"}
    entries = [{"rule": "false", "messageExpression": f"'%s'.format([{rule}])"}, entry]
    schema = Schema({"type": "object", "properties": properties, "x-kubernetes-validations": entries[:1]})
    wrong = judge_rule(ValidationRule.from_json(entry), DeclaredType(schema, root=True)).error
    if wrong:
        return wrong.partition("\n")[0]
    result = CompiledRules(schema, "vector").validate(data or {}, has_old=False)
    return f"{result.errors[0].detail}, {OBJECT_BUDGET - result.remaining_budget}"


def estimated(rule: str, **properties: Any) -> int:
    """The highest cost of a rule."""
    schema = Schema({"type": "object", "properties": properties})
    return judge_rule(ValidationRule.from_json({"rule": rule}), DeclaredType(schema, root=True)).max_cost


def exported_version() -> str:
    """The API version in which a policy that fills something in is exported."""
    fill_in = {"fieldPath": ".spec.jinja", "expression": "true"}
    policy = {"id": "POLICY-001", "name": "p", "match": {"kinds": ["InferenceService.inference.llmkube.dev"]}, "fillIns": [fill_in]}
    return str(next(iter(exported(configuration({"policies": [policy]})).objects))["apiVersion"])


def untyped_parameters() -> list[str]:
    """The message about an expression over parameters of a kind that doesn't exist."""
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["pods"]}
    unknown = policy("params.x == 1", rules=[rule], paramKind={"apiVersion": "example.com/v1", "kind": "Gone"})
    found = check_types(read_policy(unknown), Definitions(), lambda _: True).warnings
    return [warning.text.partition("\n")[0].partition("1:1: ")[2] for warning in found]


def kept_fields() -> int:
    """The status code of an update that keeps nine selectable fields."""
    names = [f"f{number}" for number in range(9)]
    crd = _crd(**{name: {"type": "string"} for name in names})
    crd["spec"]["versions"][0]["selectableFields"] = [{"jsonPath": f".spec.{name}"} for name in names]
    old = {**crd, "metadata": crd["metadata"] | {"uid": "u", "resourceVersion": "7"}, "status": {"storedVersions": ["v1"]}}
    return int(our_update(old, old)["code"])


def unreadable() -> str:
    """The refusal of a CRD that has a number instead of a text below `items`."""
    return str(our_create(_crd(a={"type": "array", "items": {"type": 1}}))["message"]).rpartition("openAPIV3Schema")[2]


def scaled() -> str:
    """The refusal of an object that isn't a Scale."""
    definition = read_crd(_crd(a={"type": "string"}), server=release())[0]
    body = {"metadata": 1}
    stored_object = {"apiVersion": definition.gvk.api_version, "kind": "Thing", "metadata": {"name": "a"}}
    found = decode_scale(request(definition, body, stored_object, subresource="scale"), definition, {}, (), [])
    return str(getattr(found, "message", found))


def moved(time: str) -> str:
    """The end of the answer to an update that sets the time of deletion."""
    definition = read_crd(_crd(a={"type": "string"}), server=release())[0]
    metadata = {"name": "a", "uid": "u", "resourceVersion": "1"}
    old: JSONObject = {"apiVersion": definition.gvk.api_version, "kind": "Thing", "metadata": metadata}
    found = send(definition, {**old, "metadata": metadata | {"deletionTimestamp": time}}, old)
    return f"{found.code}: {found.message.rpartition('}: ')[2]}"


def changed(expression: str) -> str:
    """The end of the answer to an object that a mutating policy has changed, or why it isn't known."""
    crd = _crd(a={"type": "object", "x-kubernetes-preserve-unknown-fields": True})
    gvk = read_crd(crd, server=release())[0].gvk
    body = {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {"name": "a"}, "spec": {"a": {"b": {"c": None}}}}
    found = changing.by_release(release(), changing.policy(expression), changing.binding(), crd=crd, obj=body)
    return found.message.rpartition(": ")[2] or " ".join(entry.reason for entry in found.unchecked)


def merged() -> str:
    """The end of the answer to an apply configuration for an object that has the same port twice."""
    port = {"port": 80, "protocol": "TCP"}
    service: JSONObject = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {"ports": [port, port]}}
    written = changing.policy('Object{metadata: Object.metadata{labels: {"a": "b"}}}')
    return changing.by_release(release(), written, changing.binding(), obj=service).message.rpartition(": ")[2]


def rolled() -> JSONObject:
    """The update strategy that the server fills into a StatefulSet without one."""
    strategy: JSONObject = read({"kind": "StatefulSet", "metadata": {}, "spec": {}}, "StatefulSet")["spec"]["updateStrategy"]
    return strategy


def _picked_or_said(objects: list[JSONObject], wanted: JSONObject) -> object:
    """The devices that a claim gets, or the error of a release that drops a field of the claim."""
    try:
        return picked(objects, wanted)
    except SchedulingAbortedError as error:
        return str(error)


_LISTS: Final = {
    "l": {"type": "array", "items": {"type": "string", "format": "date"}},
    "s": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
    "m": {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["a", "b", "c", "d"],
        "items": {"type": "object", "properties": {key: {"type": "string"} for key in "abcd"}},
    },
    "o": {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}},
}
_COUNTED: Final = [{"name": "cs", "counters": {"m": {"value": "1"}}}]
_PLENTY: Final = [{"name": "cs", "counters": {"m": {"value": "4"}}}]


def _counting(name: str, amount: str, **more: Any) -> JSONObject:
    return device(name) | {"consumesCounters": [{"counterSet": "cs", "counters": {"m": {"value": amount}}}], **more}


def _pool(driver: str, counters: list[JSONObject], *devices: JSONObject) -> list[JSONObject]:
    shared = slice_of([], "counters", driver=driver, pool="p", count=2, sharedCounters=counters)
    return [slice_of(devices, "devices", driver=driver, pool="p", count=2), shared]


_MEMORY: Final = {"memory": {"value": "2", "requestPolicy": {"default": "1"}}}
_SHAREABLE: Final = {"allowMultipleAllocations": True}
#: A capacity that is given in steps.
_STEPPED: Final = {"value": "8", "requestPolicy": {"default": "1", "validRange": {"min": "1", "step": "1"}}}
#: Two devices; another claim has all the memory of one of them.
_IN_USE: Final = [
    slice_of([device(name, capacity=_MEMORY) | _SHAREABLE for name in ("d", "e")]),
    held("gpu.amd.com", "n0", "d", shareID="1", consumedCapacity={"memory": "2"}),
]
#: A device of which another claim has a share without an amount, and whose counters allow one user.
_SHARED: Final = [*_pool("gpu.amd.com", _COUNTED, _counting("a", "1", **_SHAREABLE)), held("gpu.amd.com", "p", "a", shareID="1")]
#: A Service whose name begins with a digit.
_DIGIT: Final = {"metadata": {"name": "1a", "namespace": "default"}, "spec": {"ports": [{"port": 80}]}}
#: A device for an extended resource that nodes don't have.
_EXTENDED: Final = (device_class("c", resource="amd.com/gpu"), slice_of([device("d")], on="n"))
_TAINTED: Final = {"taints": [{"key": "k", "effect": "NoSchedule"}]}
#: A claim whose device the driver couldn't make ready.
_FAILED: Final = claim(
    wish(),
    allocation={
        "devices": {
            "results": [
                {
                    "request": "r0",
                    "driver": "gpu.amd.com",
                    "pool": "n0",
                    "device": "d",
                    "bindingConditions": ["ready"],
                    "bindingFailureConditions": ["failed"],
                }
            ]
        }
    },
    devices=[{"driver": "gpu.amd.com", "pool": "n0", "device": "d", "conditions": [{"type": "failed", "status": "True"}]}],
)
#: A pod with a pod-level limit, and a LimitRange that fills in the request of its container.
_WHOLE: Final = pod({}, resources={"limits": {"cpu": "8"}})
_RANGE: Final = {
    "apiVersion": "v1",
    "kind": "LimitRange",
    "metadata": {"name": "r", "namespace": "default"},
    "spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "1"}}]},
}
#: A pod with a volume of a driver that its node must have and doesn't.
_WITHOUT_DRIVER: Final = (
    using("c"),
    node("n"),
    csi_node("n"),
    *bound("c"),
    {**driver(counts=False), "spec": {"preventPodSchedulingIfMissing": True}},
)
#: Metadata whose generation was invalid from the beginning.
_NEGATIVE: Final = {"name": "a", "generation": -1, "resourceVersion": "1"}
#: Pools of two drivers with one name, each with counters of its own.
_NAMESAKES: Final = [*_pool("gpu.amd.com", _COUNTED, _counting("a", "1")), *_pool("other.com", _PLENTY, _counting("b", "4"))]
_DISTINCT: Final = [slice_of([device("a", m="x"), device("b", m="y"), device("c", m="x"), device("d", m="z")])]
_TEXTS: Final = {"type": "object", "additionalProperties": {"type": "string"}}
_SET_OF_OBJECTS: Final = {
    "type": "array",
    "items": {"type": "object", "x-kubernetes-map-type": "atomic"},
    "x-kubernetes-list-type": "set",
}
_RULE: Final = {"action": "RestartAllContainers", "exitCodes": {"operator": "In", "values": [1]}}
_RESTARTING: Final = {
    **pod(),
    "spec": {
        "restartPolicy": "Never",
        "containers": [{"name": "c", "image": "i", "restartPolicy": "Never", "restartPolicyRules": [_RULE]}],
    },
}


#: The cases by the name of the difference. `answers.yaml` has their results.
_FOREIGN: Final[JSONObject] = {
    "type": "External",
    "external": {"metric": {"name": "m"}, "target": {"type": "Value", "value": "1"}},
}


def binding_without_actions() -> JSONObject:
    """A binding that does nothing."""
    found = binding()
    return {**found, "spec": {**found["spec"], "validationActions": []}}


ASKS: Final[Mapping[str, Callable[[], object]]] = {
    "enforces_number_formats": lambda: stored(3_000_000_000, type="integer", format="int32"),
    "checks_number_types": lambda: stored(1.5, type="integer"),
    "rounds_near_integers": lambda: stored(0.29, type="number", multipleOf=0.01),
    "knows_name_formats": lambda: stored("A", type="string", format="k8s-short-name"),
    "names_label_keys": lambda: errors_of({"labels": {"a/b/c": "", "b": _LONG}}),
    "has_moved_schemes": scaled,
    "names_whole_paths": unreadable,
    "shows_values_of_rules": lambda: stored(1, type="integer", **{"x-kubernetes-validations": [{"rule": "self > 1", "message": "m"}]}),
    "keeps_many_selectable_fields": kept_fields,
    "warns_of_number_formats": lambda: warned(type="integer", format="int8"),
    "warns_of_sets": lambda: warned(
        type="array", items={"type": "object", "x-kubernetes-map-type": "atomic"}, **{"x-kubernetes-list-type": "set"}
    ),
    "reads_attribute_lists": lambda: Selectors().match("dyn(true)", read_slice(slice_of([device("d")])).devices[0]).error,
    "mounts_selinux_labels": lambda: deployment_refusal(deployment(securityContext={"seLinuxChangePolicy": "MountOption"})),
    "reads_variables_of_files": lambda: deployment_refusal(
        deployment(containers=[{"name": "c", "image": "i", "env": [{"name": "A", "valueFrom": {}}]}])
    ),
    "compares_tolerations": lambda: deployment_refusal(deployment(tolerations=[{"key": "k", "operator": "Gt", "value": "1"}])),
    "words_missing_maximum": lambda: autoscaler_refusal({"metadata": {"name": "a"}, "spec": {"maxReplicas": 0}}),
    "checks_scaling_tolerances": lambda: autoscaler_refusal(
        {"metadata": {"name": "a"}, "spec": {"maxReplicas": 1, "behavior": {"scaleUp": {"tolerance": "-1"}}}}
    ),
    "scales_to_zero": lambda: autoscaler_refusal(
        {"metadata": {"name": "a"}, "spec": {"minReplicas": 0, "maxReplicas": 0, "metrics": [_FOREIGN]}}
    ),
    "relaxes_service_names": lambda: [str(found) for found in service_errors(_DIGIT)],
    "bounds_names": lambda: estimated("self.metadata.name.matches('^a')"),
    "lacks_durations_of_ints": lambda: ruled("duration(size(self.a)) == duration('1s')", {"a": "x"}, a={"type": "string"}),
    "reads_escaped_fields": lambda: ruled("self.a.`x-y`", {"a": {"x-y": "v"}}, a=_TEXTS),
    "leaves_scopes": lambda: ruled("['x'].map(self, .self.a)", {"a": 1}, a={"type": "integer"}),
    "resolves_types_alone": lambda: ruled("self{} == self", {"a": 1}, a={"type": "integer"}),
    "prices_affixes": lambda: ruled("self.a.startsWith('x')", {"a": _LONG}, a={"type": "string"}),
    "prices_matches": lambda: ruled("matches(self.a, 'x+')", {"a": _LONG}, a={"type": "string"}),
    "bounds_empty_searches": lambda: ruled("'a'.indexOf('', 7)"),
    "bounds_ranges": lambda: ruled("lists.range(-1)"),
    "prices_negative_depths": lambda: ruled("[[1]].flatten(-3)"),
    "requires_optionals": lambda: ruled("dyn(1).orValue(2)"),
    "keeps_types_in_optionals": lambda: ruled("[self.?o].map(x, x.day.value().getFullYear())", {"o": {"day": "2024-01-01"}}, **_LISTS),
    "joins_values": lambda: ruled("(self.l + [timestamp('2024-01-02T00:00:00Z')])[1].getFullYear()", {"l": ["2024-01-01"]}, **_LISTS),
    "counts_equal_items": lambda: ruled("self.s == ['a', 'a']", {"s": ["a", "b"]}, **_LISTS),
    "requires_references": lambda: errors_of({"ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "", "uid": "u"}]}),
    "requires_operations": lambda: errors_of({"managedFields": [{"manager": "m", "operation": "x", "fieldsType": "FieldsV1"}]}),
    "merges_metadata_errors": lambda: len(stored("x", {"labels": {"a": _LONG, "b": _LONG}}, type="string").split(" | ")),
    "reads_metadata_again": lambda: moved("9999-12-31T23:59:59-23:59"),
    "checks_generation_of_updates": lambda: update_errors(_NEGATIVE, _NEGATIVE),
    "checks_restart_rules": lambda: placed(_RESTARTING, node("n")).message,
    "stops_at_missing_drivers": lambda: deployment_refusal(deployment(volumes=[{"name": "v", "csi": {}}])),
    "matches_declared_features": lambda: placed(_RESTARTING, node("n")).message,
    "keeps_device_taints": lambda: answer([slice_of([device("d") | _TAINTED])], claim(wish())),
    "keeps_device_counters": lambda: answer(_pool("gpu.amd.com", _COUNTED, _counting("a", "2")), claim(wish())),
    "shares_devices": lambda: answer([slice_of([device("d") | _SHAREABLE]), held("gpu.amd.com", "n0", "d", shareID="1")], claim(wish())),
    "binds_devices_late": lambda: answer([], _FAILED),
    "maps_extended_resources": lambda: placed(pod({"amd.com/gpu": "1"}), node("n"), *_EXTENDED).message,
    "passes_over_bad_pools": lambda: answer([slice_of([device("d")], count=2)], claim(wish())),
    "keeps_alternatives_apart": lambda: answer([slice_of([device("d")])], claim(first_of(wish(2, where="false"), wish("All")))),
    "names_preemption": lambda: room_by_preemption(1, Counter({"Insufficient nvidia.com/gpu": 1}), "n", 2),
    "names_shared_processes": lambda: deployment_refusal(deployment(hostPID=True, shareProcessNamespace=True)),
    "keeps_silent_about_claims": lambda: placed(pod({"cpu": "2"}), node("small", {"cpu": "1"})).message,
    "names_devices": lambda: answer([slice_of([device("d")])], claim(wish(where="device.attributes['gpu.amd.com'].x == 1"))),
    "gathers_pools_by_node": lambda: answer([slice_of([], on="n1", count=2, sharedCounters=_COUNTED, allNodes=None)], claim(wish("All"))),
    "counts_pools_by_driver": lambda: picked(_NAMESAKES, claim(wish(2, "any"))),
    "waits_for_all_devices": lambda: picked(_IN_USE, claim(wish("All", capacity={"requests": {"memory": "2"}}))),
    "counts_shares_once": lambda: picked(_SHARED, claim(wish())),
    "tells_all_devices_apart": lambda: _picked_or_said(_DISTINCT, claim(wish(3), constraints=[{"distinctAttribute": "gpu.amd.com/m"}])),
    "applies_taint_rules": lambda: answer([slice_of([device("d")]), rule({"device": "d"})], claim(wish())),
    "stops_at_large_amounts": lambda: _picked_or_said(
        [slice_of([device("d", capacity={"memory": _STEPPED}) | _SHAREABLE])], claim(wish(capacity={"requests": {"memory": "10E"}}))
    ),
    "requires_csi_drivers": lambda: placed(*_WITHOUT_DRIVER).message,
    "audits_all_failures": lambda: list(judged(known(policy("false", "1 == 2"), binding("Audit")), written(box())).annotations.values()),
    "reads_structs": lambda: by(policy("variables.request == 1", variables=[{"name": "request", "expression": "request.kind"}]), binding()),
    "declares_bindings": lambda: list(map(str, problems_of(binding_without_actions()))),
    "reserves_static_names": lambda: list(map(str, problems_of(policy("true", name="a.static.k8s.io")))),
    "defaults_pods_last": lambda: placed(_WHOLE, node("n", {"cpu": "4"}), _RANGE).message,
    "serves_mutating_policies": exported_version,
    "checks_untyped_parameters": untyped_parameters,
    "patches_lists_of_objects": lambda: changed('[JSONPatch{op: "add", path: "/spec/a/b", value: [Object.spec.x{}]}]'),
    "bounds_stateful_updates": rolled,
    "merges_into_duplicates": merged,
    "refuses_scalar_documents": lambda: changed('[JSONPatch{op: "replace", path: "", value: 5}]'),
    "converts_parts_of_objects": lambda: changed("Object{spec: Object.spec{a: object.spec.a}}"),
}
