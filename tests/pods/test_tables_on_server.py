"""A real API server gives the errors on pods, autoscalers, Services and claims that the tables of this folder's tests have: each row is
sent to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.pods import test_affinity_validation as affinities
from tests.pods import test_autoscaler_validation as autoscalers
from tests.pods import test_container_validation as containers
from tests.pods import test_metric_validation as metrics
from tests.pods import test_pod_fields as fields
from tests.pods import test_probe_validation as probes
from tests.pods import test_resource_validation as resources
from tests.pods import test_restart_validation as restarts
from tests.pods import test_scheduling_validation as scheduling
from tests.pods import test_security_validation as security
from tests.pods import test_selector_validation as selectors
from tests.pods import test_service_validation as services
from tests.pods import test_template_validation as templates
from tests.pods.test_deployments import PREFERRED, REQUIRED, answer, autoscaler, deployment
from tests.programs.differential.connection import Connections
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal
from weighbridge.policies.pods.validation.deployment import deployment_refusal

pytestmark = [pytest.mark.control_plane, pytest.mark.usefixtures("kubernetes_of_the_plane")]

_EXEC: JSONObject = {"exec": {"command": ["a"]}}
_NAMES_OF_CLAIMS = ("b", "a")


def _container(**fields: Any) -> JSONObject:
    claims = [{"name": name, "resourceClaimName": "x"} for name in _NAMES_OF_CLAIMS]
    container = {"name": "c", "image": "i", **fields}
    return {"containers": [container], "volumes": [{"name": "v", "emptyDir": {}}], "resourceClaims": claims}


def _from(source: JSONObject) -> JSONObject:
    return _container(env=[{"name": "A", "valueFrom": source}])


def _node(**term: Any) -> JSONObject:
    return {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [term]}}}}


def _preferred(term: JSONObject, weight: int = 1) -> JSONObject:
    return {"affinity": {"podAntiAffinity": {PREFERRED: [{"weight": weight, "podAffinityTerm": term}]}}}


def _spread(constraint: JSONObject) -> JSONObject:
    common = {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}
    return {"topologySpreadConstraints": [{**common, "topologyKey": "host"}, {**common, "topologyKey": "zone", **constraint}]}


#: The tables, and the pod into which each of their rows is put.
PODS: list[tuple[Callable[..., None], Callable[[Any], JSONObject]]] = [
    (containers.test_a_container_has_a_name_an_image_and_good_parts, lambda row: _container(**row)),
    (
        containers.test_a_container_uses_claims_of_its_pod_each_once,
        lambda row: _container(resources={"claims": [{"name": name, "request": request} for name, request in row]}),
    ),
    (containers.test_a_variable_has_a_printable_name_and_one_value, lambda row: _container(env=[{"name": "A"}, row])),
    (containers.test_a_source_is_named, _from),
    (containers.test_a_variable_holds_a_field_that_pods_have, lambda row: _from({"fieldRef": {"fieldPath": row}})),
    (containers.test_a_variable_holds_a_request_or_a_limit, lambda row: _from({"resourceFieldRef": {"resource": row}})),
    (containers.test_a_key_has_a_name_that_a_file_can_have, lambda row: _from({"secretKeyRef": {"name": "s", "key": row}})),
    (containers.test_variables_come_from_one_object, lambda row: _container(envFrom=[{"secretRef": {"name": "s"}}, row])),
    (
        containers.test_a_port_has_a_number_and_a_short_name_of_its_own,
        lambda row: _container(ports=[{"name": "metrics", "containerPort": 9090}, row]),
    ),
    (templates.test_a_pod_without_an_end_has_an_account_and_containers_of_different_names, lambda row: row),
    (fields.test_the_smaller_fields_of_a_pod, lambda row: row),
    (fields.test_the_smaller_fields_of_a_container, lambda row: _container(**row)),
    (fields.test_a_container_that_ends_has_no_probes, lambda row: {"initContainers": [{"name": "i", "image": "i", row: _EXEC}]}),
    (fields.test_an_address_is_a_plain_one, lambda row: {"hostAliases": [{"ip": row}]}),
    (probes.test_a_probe_has_one_handler, lambda row: _container(livenessProbe=row)),
    (probes.test_a_request_has_a_scheme_and_headers, lambda row: _container(livenessProbe={"httpGet": {"port": 80, **row}})),
    (probes.test_a_probe_counts_and_waits, lambda row: _container(livenessProbe={**_EXEC, **row})),
    (
        probes.test_a_container_may_be_ready_after_some_successes_but_is_not_ended,
        lambda row: _container(readinessProbe={**_EXEC, **row}),
    ),
    (probes.test_a_port_has_a_number_or_a_name, lambda row: _container(livenessProbe={"tcpSocket": {"port": row}})),
    (security.test_a_pod_has_users_groups_and_policies_that_there_are, lambda row: {"securityContext": row}),
    (
        security.test_a_parameter_of_the_kernel_is_set_once,
        lambda row: {"securityContext": {"sysctls": [{"name": name, "value": "1"} for name in row]}},
    ),
    (security.test_a_seccomp_profile_has_a_type_and_a_file_only_if_local, lambda row: {"securityContext": {"seccompProfile": row}}),
    (
        security.test_an_apparmor_profile_has_a_type_and_a_name_only_if_local,
        lambda row: _container(securityContext={"appArmorProfile": row}),
    ),
    (security.test_a_container_has_users_and_privileges_that_go_together, lambda row: _container(securityContext=row)),
    (resources.test_a_container_asks_for_what_containers_can_have, lambda row: _container(resources={"limits": {row: "1"}})),
    (resources.test_what_is_counted_in_a_namespace_is_no_resource_of_pods, lambda row: _container(resources={"limits": {row: "1"}})),
    (resources.test_a_request_keeps_to_its_limit, lambda row: _container(resources=row)),
    (selectors.test_a_node_is_chosen_by_labels, lambda row: _node(matchExpressions=[row])),
    (selectors.test_a_node_is_chosen_by_its_name, lambda row: _node(matchFields=[row])),
    (
        selectors.test_a_selector_names_labels_that_there_can_be,
        lambda row: {"affinity": {"podAffinity": {REQUIRED: [{"topologyKey": "t", "labelSelector": row}]}}},
    ),
    (restarts.test_a_container_restarts_by_a_policy_and_by_rules, lambda row: _container(**row)),
    (restarts.test_a_port_of_the_node_is_taken_once, lambda row: row),
    (scheduling.test_a_toleration_has_a_key_an_operator_and_an_effect, lambda row: {"tolerations": [{"operator": "Exists"}, row]}),
    (affinities.test_a_term_about_other_pods_says_which_and_how_near, _preferred),
    (affinities.test_a_preference_weighs_from_1_to_100, lambda row: _preferred({"topologyKey": "t"}, row)),
    (affinities.test_replicas_spread_over_a_label_of_nodes, _spread),
]


def _measured(kind: str, field: str, **more: Any) -> Callable[[Any], JSONObject]:
    return lambda row: {"metrics": [{"type": kind, field: {**metrics.NAMED, **more, **row}}]}


AUTOSCALERS: list[tuple[Callable[..., None], Callable[[Any], JSONObject]]] = [
    (metrics.test_a_metric_has_the_part_of_its_type_alone, lambda row: {"metrics": [row]}),
    (metrics.test_a_metric_of_an_object_says_of_which, _measured("Object", "object", describedObject={"kind": "K", "name": "n"})),
    (metrics.test_a_metric_from_outside_has_one_value, _measured("External", "external")),
    (metrics.test_a_metric_of_pods_has_an_average, _measured("Pods", "pods")),
    (
        metrics.test_the_usage_of_a_resource_has_a_share_or_an_average,
        lambda row: {"metrics": [{"type": "ContainerResource", "containerResource": {**metrics.CPU, "container": "c", **row}}]},
    ),
    (autoscalers.test_an_autoscaler_has_a_least_and_a_most, lambda row: row),
    (autoscalers.test_an_autoscaler_waits_an_hour_at_most, lambda row: {"behavior": {"scaleUp": row}}),
    (
        autoscalers.test_a_policy_changes_some_replicas_in_some_time,
        lambda row: {"behavior": {"scaleUp": {"policies": [autoscalers.POLICY, {**autoscalers.POLICY, **row}]}}},
    ),
]


def _rows(test: Callable[..., None]) -> Iterator[Any]:
    for mark in getattr(test, "pytestmark"):  # noqa: B009 - what pytest sets isn't known of a function
        if mark.name == "parametrize":
            yield from (row[0] if isinstance(row, tuple) else row for row in mark.args[1])


def _parts(refusal: str) -> list[str]:
    """The errors in a refusal, without their order: the server iterates over Go's maps, which have none."""
    return sorted(re.split(r", (?=spec\.)|: \[(?=spec\.)", refusal.removesuffix("]")))


def _compare(asked: list[JSONObject], told: list[str], refusal: Callable[[JSONObject], str]) -> None:
    # A value that isn't of its field's type is refused on decoding, before validation.
    read = [(obj, text) for obj, text in zip(asked, told, strict=True) if "cannot be handled as a" not in text]
    assert read
    for obj, text in read:
        assert _parts(refusal(obj)) == _parts(text), obj


@pytest.mark.parametrize(("table", "pod"), PODS, ids=[table.__name__ for table, _ in PODS])
def test_pods_are_refused_in_the_same_words(server: Connections, table: Callable[..., None], pod: Callable[[Any], JSONObject]) -> None:
    asked = [deployment(**pod(row)) for row in _rows(table)]
    _compare(asked, [answer(server, "apps/v1", "deployments", obj) for obj in asked], deployment_refusal)


@pytest.mark.parametrize(("table", "spec"), AUTOSCALERS, ids=[table.__name__ for table, _ in AUTOSCALERS])
def test_autoscalers_are_refused_in_the_same_words(
    server: Connections, table: Callable[..., None], spec: Callable[[Any], JSONObject]
) -> None:
    asked = [autoscaler({"maxReplicas": 2, **spec(row)}) for row in _rows(table)]
    _compare(asked, [answer(server, "autoscaling/v2", "horizontalpodautoscalers", obj) for obj in asked], autoscaler_refusal)


OF_CORE: list[tuple[Callable[..., None], Callable[[Any], JSONObject], str]] = [
    (services.test_a_service_has_ports_each_of_its_own, lambda row: services.service(**row), "services"),
    (services.test_a_claim_has_a_size_and_an_access_mode, lambda row: services.claim(**row), "persistentvolumeclaims"),
    (services.test_metadata_is_looked_at, lambda row: {**services.service(), "metadata": row}, "services"),
]


@pytest.mark.parametrize(("table", "obj", "plural"), OF_CORE, ids=[table.__name__ for table, *_ in OF_CORE])
def test_services_and_claims_are_refused_in_the_same_words(
    server: Connections, table: Callable[..., None], obj: Callable[[Any], JSONObject], plural: str
) -> None:
    asked = [obj(row) for row in _rows(table)]
    _compare(asked, [answer(server, "v1", plural, one) for one in asked], services.refusal)
