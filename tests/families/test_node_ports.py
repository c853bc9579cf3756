"""A node port is allocated only once in a cluster."""

from __future__ import annotations

from tests.counted_calls import calls_of
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.node_ports import node_port_refusal, taken_node_ports
from weighbridge.policies.ground.objects import JSONObject


def service(name: str, *ports: int) -> JSONObject:
    listed = [{"port": 80 + index, **({"nodePort": port} if port else {})} for index, port in enumerate(ports)]
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": "n"},
        "spec": {"type": "NodePort", "ports": listed},
    }


def test_the_ports_of_others_are_taken_and_its_own_are_not() -> None:
    facts = from_objects([service("a", 30001), service("b", 30002, 0, 30003)], Definitions())
    assert list(taken_node_ports(facts, service("a", 30001))) == []
    assert list(taken_node_ports(facts, service("a", 30001, 30003, 30004, 30002))) == [30003, 30002]


def test_many_holders_of_a_port_are_hardly_looked_at() -> None:
    facts = from_objects([service(f"s{index}", 30001) for index in range(200)], Definitions())
    assert list(taken_node_ports(facts, service("a", 30001))) == [30001]
    assert calls_of(lambda: list(taken_node_ports(facts, service("a", 30001)))) < 100


def test_every_port_that_is_taken_is_refused_in_the_servers_words() -> None:
    words = "spec.ports[{}].nodePort: Invalid value: {}: provided port is already allocated"
    found = node_port_refusal(service("a", 30001, 0, 30002), [30001, 30002])
    assert found == f'Service "a" is invalid: [{words.format(0, 30001)}, {words.format(2, 30002)}]'
    assert node_port_refusal(service("a", 30001, 0, 30002), [30002]) == f'Service "a" is invalid: {words.format(2, 30002)}'
    assert node_port_refusal(service("a", 30001), [30002]) == ""
    assert node_port_refusal(service("a", 0), [0]) == ""
