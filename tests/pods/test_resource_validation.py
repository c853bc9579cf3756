"""The API server's errors on the requests and limits of a container, and of a pod as a whole."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.resources import container_resource_errors, container_resource_name, is_extended, resource_errors
from weighbridge.policies.schema.names import dns1123_subdomain, qualified_name

SUBDOMAIN = dns1123_subdomain("_")[0]
QUALIFIED = qualified_name("a b")[0]
NEGATIVE = "must be greater than or equal to 0"
UNKNOWN = "must be a standard resource type or fully qualified"
NOT_OF_CONTAINERS = "must be a standard resource for containers"
NOT_EXTENDED = "doesn't follow extended resource name standard"
POD_LEVEL = 'supported values: "cpu", "hugepages-", "memory"'
LIMIT = "limits: Required value: Limit must be set for non overcommitable resources"
AGGREGATE = "must be greater than or equal to aggregate container "


#: Resources of a namespace that must be whole numbers, and those that may be fractions.
WHOLE = ["pods", "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps", "persistentvolumeclaims"]
WHOLE += ["services.nodeports", "services.loadbalancers"]
DIVISIBLE = ["storage", "requests.storage", "requests.hugepages-2Mi"]
DIVISIBLE += [f"{kind}.{name}" for kind in ("limits", "requests") for name in ("cpu", "memory", "ephemeral-storage")]


def of_resources(resources: JSONObject) -> list[str]:
    """The errors on the resources of a container."""
    return [str(error).removeprefix("c.resources.") for error in container_resource_errors({"resources": resources}, "c")]


def of_name(name: str) -> list[str]:
    """The errors on the name of a resource."""
    return [str(error).removeprefix("r: ") for error in container_resource_name(name, "r")]


def of_limit(name: str, amount: JSONValue) -> list[str]:
    """The errors on a limit, given together with a limit of CPU."""
    errors = of_resources({"limits": {"cpu": "1", name: amount}})
    return [error.removeprefix(f"limits[{name}]: ") for error in errors]


def of_pod(spec: JSONObject) -> list[str]:
    """The errors on the resources of a pod as a whole."""
    return [str(error).removeprefix("spec.") for error in resource_errors(spec)]


def asks(**resources: JSONValue) -> JSONObject:
    """A container with resources."""
    return {"resources": resources}


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("cpu", []),
        ("memory", []),
        ("ephemeral-storage", []),
        ("hugepages-2Mi", []),
        ("hugepages-", [f'Invalid value: "hugepages-": {QUALIFIED}']),
        ("example.com/gpu", []),
        ("kubernetes.io/x", []),
        ("a.kubernetes.io/x", []),
        ("pods", [f'Invalid value: "pods": {NOT_OF_CONTAINERS}']),
        ("storage", [f'Invalid value: "storage": {NOT_OF_CONTAINERS}']),
        ("services", [f'Invalid value: "services": {NOT_OF_CONTAINERS}']),
        ("requests.cpu", [f'Invalid value: "requests.cpu": {NOT_OF_CONTAINERS}']),
        ("limits.memory", [f'Invalid value: "limits.memory": {NOT_OF_CONTAINERS}']),
        ("requests.hugepages-2Mi", [f'Invalid value: "requests.hugepages-2Mi": {NOT_OF_CONTAINERS}']),
        (
            "limits.hugepages-2Mi",
            [f'Invalid value: "limits.hugepages-2Mi": {UNKNOWN}', f'Invalid value: "limits.hugepages-2Mi": {NOT_OF_CONTAINERS}'],
        ),
        ("requests.storage", [f'Invalid value: "requests.storage": {NOT_OF_CONTAINERS}']),
        ("gpu", [f'Invalid value: "gpu": {UNKNOWN}', f'Invalid value: "gpu": {NOT_OF_CONTAINERS}']),
        ("CPU", [f'Invalid value: "CPU": {UNKNOWN}', f'Invalid value: "CPU": {NOT_OF_CONTAINERS}']),
        ("requests.example.com/gpu", [f'Invalid value: "requests.example.com/gpu": {NOT_EXTENDED}']),
        ("a b", [f'Invalid value: "a b": {QUALIFIED}', f'Invalid value: "a b": {NOT_OF_CONTAINERS}']),
        (
            "",
            [
                'Invalid value: "": name part must be non-empty',
                f'Invalid value: "": {QUALIFIED}',
                f'Invalid value: "": {NOT_OF_CONTAINERS}',
            ],
        ),
        ("/gpu", ['Invalid value: "/gpu": prefix part must be non-empty', f'Invalid value: "/gpu": {NOT_EXTENDED}']),
        ("A/gpu", [f'Invalid value: "A/gpu": prefix part {SUBDOMAIN}', f'Invalid value: "A/gpu": {NOT_EXTENDED}']),
    ],
)
def test_a_container_asks_for_what_containers_can_have(name: str, errors: list[str]) -> None:
    assert of_name(name) == errors


@pytest.mark.parametrize("name", WHOLE + DIVISIBLE)
def test_what_is_counted_in_a_namespace_is_no_resource_of_pods(name: str) -> None:
    assert of_name(name) == [f'Invalid value: "{name}": {NOT_OF_CONTAINERS}']
    assert of_limit(name, "1") == of_name(name)
    assert of_limit(name, "1.5") == [*of_name(name), *(['Invalid value: "1500m": must be an integer'] if name in WHOLE else [])]
    assert of_pod({"resources": {"limits": {name: "1"}}}) == [f'resources.limits[{name}]: Unsupported value: "{name}": {POD_LEVEL}']


def test_an_extended_resource_leaves_room_for_the_prefix_of_quotas() -> None:
    domain = ".".join("d" * 60 for _ in range(4))
    assert of_name(f"{domain}d/x") == []
    assert of_name(f"{domain}dd/x") == [f'Invalid value: "{domain}dd/x": {NOT_EXTENDED}']
    assert [is_extended(name) for name in (f"{domain}d/x", f"{domain}dd/x", "kubernetes.io/x", "x", "requests.d/x")] == [True, *[False] * 4]


@pytest.mark.parametrize(
    ("given", "errors"),
    [
        (("cpu", "0"), []),
        (("cpu", "1n"), []),
        (("cpu", "-1n"), [f'Invalid value: "-1m": {NEGATIVE}']),
        (("memory", "-1"), [f'Invalid value: "-1": {NEGATIVE}']),
        (("memory", "1.5"), []),
        (("example.com/gpu", "0"), []),
        (("example.com/gpu", "3"), []),
        (("example.com/gpu", "1500m"), ['Invalid value: "1500m": must be an integer']),
        (("example.com/gpu", "-1"), [f'Invalid value: "-1": {NEGATIVE}']),
        (("example.com/gpu", "-500m"), [f'Invalid value: "-500m": {NEGATIVE}', 'Invalid value: "-500m": must be an integer']),
        (("example.com/gpu", 1.5), ['Invalid value: "1500m": must be an integer']),
        (("example.com/gpu", "1e3"), []),
        (("kubernetes.io/gpu", "1.5"), []),
        (("pods", "1"), [f'Invalid value: "pods": {NOT_OF_CONTAINERS}']),
        (("pods", "1.5"), [f'Invalid value: "pods": {NOT_OF_CONTAINERS}', 'Invalid value: "1500m": must be an integer']),
        (("services", "500m"), [f'Invalid value: "services": {NOT_OF_CONTAINERS}', 'Invalid value: "500m": must be an integer']),
        (
            ("services.nodeports", "1.5"),
            [f'Invalid value: "services.nodeports": {NOT_OF_CONTAINERS}', 'Invalid value: "1500m": must be an integer'],
        ),
        (("storage", "1.5"), [f'Invalid value: "storage": {NOT_OF_CONTAINERS}']),
        (("cpu", "x"), []),
        (("cpu", None), []),
        (("example.com/gpu", "9223372036854775.5"), ['Invalid value: "9223372036854775500m": must be an integer']),
        (("example.com/gpu", "1e18"), []),
        (("hugepages-2Mi", "2Mi"), []),
        (("hugepages-2Mi", "4Mi"), []),
        (("hugepages-2Mi", "0"), []),
        (("hugepages-2Mi", "3Mi"), ['Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi']),
        (("hugepages-2Mi", "1"), ['Invalid value: "1": 1 is not positive integer multiple of hugepages-2Mi']),
        (("hugepages-0", "0"), ['Invalid value: "0": 0 is not positive integer multiple of hugepages-0']),
        (("hugepages-1", "7"), []),
        (("hugepages-500m", "1"), ['Invalid value: "1": 1 is not positive integer multiple of hugepages-500m']),
        (("hugepages-x", "1"), ['Invalid value: "1": 1 is not positive integer multiple of hugepages-x']),
        (("hugepages-2Mi", "-2Mi"), [f'Invalid value: "-2Mi": {NEGATIVE}']),
        (("hugepages--1", "1"), ['Invalid value: "1": 1 is not positive integer multiple of hugepages--1']),
    ],
)
def test_an_amount_is_not_negative_and_may_have_to_be_whole(given: tuple[str, JSONValue], errors: list[str]) -> None:
    assert of_limit(*given) == errors


@pytest.mark.parametrize(
    ("resources", "errors"),
    [
        ({}, []),
        ({"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}, []),
        (
            {"limits": {"cpu": "1"}, "requests": {"cpu": "1001m"}},
            ['requests: Invalid value: "1001m": must be less than or equal to cpu limit of 1'],
        ),
        ({"limits": {"cpu": "1"}, "requests": {"cpu": "999m"}}, []),
        (
            {"limits": {"memory": "1Gi"}, "requests": {"memory": "1073741825"}},
            ['requests: Invalid value: "1073741825": must be less than or equal to memory limit of 1Gi'],
        ),
        ({"limits": {}, "requests": {"cpu": "1"}}, []),
        ({"limits": {"example.com/gpu": "1"}, "requests": {"example.com/gpu": "1"}}, []),
        (
            {"limits": {"example.com/gpu": "2"}, "requests": {"example.com/gpu": "1"}},
            ['requests: Invalid value: "1": must be equal to example.com/gpu limit of 2'],
        ),
        (
            {"limits": {"example.com/gpu": "1"}, "requests": {"example.com/gpu": "2"}},
            ['requests: Invalid value: "2": must be equal to example.com/gpu limit of 1'],
        ),
        ({"limits": {}, "requests": {"example.com/gpu": "1"}}, [LIMIT]),
        ({"limits": {"example.com/gpu": "1"}, "requests": {}}, []),
        ({"limits": {"example.com/gpu": "1"}, "requests": {"example.com/gpu": "1000m"}}, []),
        ({"limits": {"a.kubernetes.io/x": "2"}, "requests": {"a.kubernetes.io/x": "1"}}, []),
        ({"limits": {}, "requests": {"a.kubernetes.io/x": "1"}}, []),
        (
            {"limits": {"cpu": "1", "hugepages-2Mi": "4Mi"}, "requests": {"hugepages-2Mi": "2Mi"}},
            ['requests: Invalid value: "2Mi": must be equal to hugepages-2Mi limit of 4Mi'],
        ),
        ({"limits": {}, "requests": {"cpu": "1", "hugepages-2Mi": "2Mi"}}, [LIMIT]),
        (
            {"limits": {"hugepages-2Mi": "2Mi"}, "requests": {"hugepages-2Mi": "2Mi"}},
            ["c.resources: Forbidden: HugePages require cpu or memory"],
        ),
        ({"limits": {"hugepages-2Mi": "2Mi", "memory": "1"}, "requests": {}}, []),
        ({"limits": {"hugepages-2Mi": "2Mi"}, "requests": {"cpu": "1"}}, []),
        (
            {"limits": {"cpu": "-2", "gpu": "1"}, "requests": {"cpu": "-1", "a b": "1"}},
            [
                f'limits[cpu]: Invalid value: "-2": {NEGATIVE}',
                f'limits[gpu]: Invalid value: "gpu": {UNKNOWN}',
                f'limits[gpu]: Invalid value: "gpu": {NOT_OF_CONTAINERS}',
                f'requests[cpu]: Invalid value: "-1": {NEGATIVE}',
                'requests: Invalid value: "-1": must be less than or equal to cpu limit of -2',
                f'requests[a b]: Invalid value: "a b": {QUALIFIED}',
                f'requests[a b]: Invalid value: "a b": {NOT_OF_CONTAINERS}',
            ],
        ),
        (
            {"limits": {"ephemeral-storage": "1"}, "requests": {"ephemeral-storage": "2"}},
            ['requests: Invalid value: "2": must be less than or equal to ephemeral-storage limit of 1'],
        ),
    ],
)
def test_a_request_keeps_to_its_limit(resources: JSONObject, errors: list[str]) -> None:
    assert of_resources(resources) == errors


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({}, []),
        ({"resources": None}, []),
        ({"resources": {}}, []),
        ({"resources": {"claims": []}}, ["resources.claims: Forbidden: claims may not be set for Resources at pod-level"]),
        ({"resources": {"claims": None}}, []),
        (
            {"containers": [{}, asks(limits={"cpu": "-1"})], "initContainers": [asks(limits={"cpu": "-2"})]},
            [
                f'containers[1].resources.limits[cpu]: Invalid value: "-1": {NEGATIVE}',
                f'initContainers[0].resources.limits[cpu]: Invalid value: "-2": {NEGATIVE}',
            ],
        ),
        (
            {"overhead": {"cpu": "1", "gpu": "2", "memory": "-1"}},
            [
                f'overhead.limits[gpu]: Invalid value: "gpu": {UNKNOWN}',
                f'overhead.limits[gpu]: Invalid value: "gpu": {NOT_OF_CONTAINERS}',
                f'overhead.limits[memory]: Invalid value: "-1": {NEGATIVE}',
            ],
        ),
        (
            {"resources": {"limits": {"cpu": "1", "ephemeral-storage": "1", "example.com/gpu": "1", "a b": "1"}}},
            [
                f'resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": {POD_LEVEL}',
                f'resources.limits[example.com/gpu]: Unsupported value: "example.com/gpu": {POD_LEVEL}',
                f'resources.limits[a b]: Invalid value: "a b": {QUALIFIED}',
            ],
        ),
        (
            {"resources": {"limits": {"cpu": "1"}, "requests": {"cpu": "2"}}},
            ['resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
        ),
        ({"resources": {"limits": {"hugepages-2Mi": "2Mi"}}}, ["resources: Forbidden: HugePages require cpu or memory"]),
        (
            {
                "resources": {"requests": {"cpu": "2"}},
                "containers": [asks(requests={"cpu": "1"}), asks(requests={"cpu": "1", "memory": "9"})],
            },
            [],
        ),
        (
            {"resources": {"requests": {"cpu": "1999m"}}, "containers": [asks(requests={"cpu": "1"}), asks(requests={"cpu": "1"})]},
            [f'resources.requests[cpu]: Invalid value: "1999m": {AGGREGATE}requests of 2'],
        ),
        ({"resources": {"limits": {"cpu": "1"}}, "containers": [asks(limits={"cpu": "1"}), asks(limits={"cpu": "1", "memory": "9"})]}, []),
        (
            {"resources": {"limits": {"cpu": "1"}}, "containers": [asks(limits={"cpu": "1"}), asks(limits={"cpu": "1001m"})]},
            ['resources.containers[1][cpu].limits: Invalid value: "1001m": must be less than or equal to pod limits of 1'],
        ),
        (
            {
                "resources": {"limits": {"cpu": "1", "hugepages-2Mi": "4Mi"}},
                "containers": [asks(limits={"hugepages-2Mi": "2Mi", "cpu": "1"}), asks(limits={"hugepages-2Mi": "2Mi", "cpu": "1"})],
            },
            [],
        ),
        (
            {
                "resources": {"limits": {"cpu": "1", "hugepages-2Mi": "2Mi"}},
                "containers": [asks(limits={"hugepages-2Mi": "2Mi", "cpu": "1"}), asks(limits={"hugepages-2Mi": "2Mi", "cpu": "1"})],
            },
            [f'resources.limits[hugepages-2Mi]: Invalid value: "2Mi": {AGGREGATE}limits of 4Mi'],
        ),
        (
            {
                "resources": {"limits": {"cpu": "1", "hugepages-2Mi": "2Mi"}},
                "containers": [asks(limits={"hugepages-2Mi": "4Mi", "cpu": "1"})],
            },
            [
                f'resources.limits[hugepages-2Mi]: Invalid value: "2Mi": {AGGREGATE}limits of 4Mi',
                'resources.containers[0][hugepages-2Mi].limits: Invalid value: "4Mi": must be less than or equal to pod limits of 2Mi',
            ],
        ),
        ({"resources": {"limits": {"cpu": "1"}}, "initContainers": [asks(limits={"cpu": "2"})]}, []),
    ],
)
def test_a_pod_asks_for_no_less_than_its_containers(spec: JSONObject, errors: list[str]) -> None:
    assert of_pod(spec) == errors
