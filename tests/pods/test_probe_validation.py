"""The API server's errors on a container's probes: their handlers, how often they run, and how long they wait."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.probes import probe_errors

HEADER = (
    "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for "
    "validation is '[-A-Za-z0-9]+')"
)
CHARSET = "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
NO_LETTER = "must contain at least one letter (a-z)"
SECOND = "Forbidden: may not specify more than 1 handler type"


def of_probe(kind: str, probe: JSONObject) -> list[str]:
    """The errors on a probe of a kind."""
    return [str(error).removeprefix("p.") for error in probe_errors(probe, "p", kind)]


def of_liveness(probe: JSONObject) -> list[str]:
    """The errors on a liveness probe, which are the same for a startup probe."""
    errors = of_probe("livenessProbe", probe)
    assert errors == of_probe("startupProbe", probe)
    return errors


def of_running(**fields: JSONValue) -> list[str]:
    """The errors on a liveness probe that runs a command."""
    return of_liveness({"exec": {"command": ["a"]}, **fields})


def of_request(**fields: JSONValue) -> list[str]:
    """The errors on an HTTP probe."""
    return [error.removeprefix("httpGet.") for error in of_liveness({"httpGet": {"port": 80, **fields}})]


def of_port(port: JSONValue) -> list[str]:
    """The errors on a port, for each handler that has one."""
    found = {handler: of_liveness({handler: {"port": port}}) for handler in ("httpGet", "tcpSocket", "grpc")}
    (errors,) = {tuple(error.removeprefix(f"{handler}.port: ") for error in errors) for handler, errors in found.items()}
    return list(errors)


@pytest.mark.parametrize(
    ("probe", "errors"),
    [
        ({"exec": {"command": ["a"]}}, []),
        ({}, ["p: Required value: must specify a handler type"]),
        ({"exec": {}}, ["exec.command: Required value"]),
        ({"exec": {"command": []}}, ["exec.command: Required value"]),
        ({"exec": None}, ["p: Required value: must specify a handler type"]),
        ({"exec": None, "grpc": {"port": 1}}, []),
        (
            {"httpGet": {"port": 0}, "exec": {"command": ["a"]}, "tcpSocket": {"port": 0}, "grpc": {"port": 0}},
            [f"httpGet: {SECOND}", f"tcpSocket: {SECOND}", f"grpc: {SECOND}"],
        ),
        ({"tcpSocket": {"port": 0}, "httpGet": {"port": 80}}, [f"tcpSocket: {SECOND}"]),
        ({"grpc": {"port": 0}, "tcpSocket": {"port": 80}}, [f"grpc: {SECOND}"]),
        ({"tcpSocket": {"port": 80, "scheme": "x", "httpHeaders": [{"name": ""}]}}, []),
        ({"grpc": {"port": 80, "scheme": "x", "httpHeaders": [{"name": ""}]}}, []),
    ],
)
def test_a_probe_has_one_handler(probe: JSONObject, errors: list[str]) -> None:
    assert of_liveness(probe) == errors


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"scheme": "HTTP"}, []),
        ({"scheme": "HTTPS"}, []),
        ({"scheme": "http"}, ['scheme: Unsupported value: "http": supported values: "HTTP", "HTTPS"']),
        ({"scheme": None}, []),
        ({"httpHeaders": [{"name": "X-a9", "value": ""}, {"name": "-"}]}, []),
        (
            {"httpHeaders": [{"name": "X"}, {"name": ""}, {"name": "a:b"}, {"name": "é"}]},
            [
                f'httpHeaders: Invalid value: "": {HEADER}',
                f'httpHeaders: Invalid value: "a:b": {HEADER}',
                f'httpHeaders: Invalid value: "é": {HEADER}',
            ],
        ),
        (
            {"port": 0, "scheme": "x", "httpHeaders": [{"name": "a b"}]},
            [
                "port: Invalid value: 0: must be between 1 and 65535, inclusive",
                'scheme: Unsupported value: "x": supported values: "HTTP", "HTTPS"',
                f'httpHeaders: Invalid value: "a b": {HEADER}',
            ],
        ),
    ],
)
def test_a_request_has_a_scheme_and_headers(fields: JSONObject, errors: list[str]) -> None:
    assert of_request(**fields) == errors


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"initialDelaySeconds": -1}, ["initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0"]),
        ({"initialDelaySeconds": 0}, []),
        ({"timeoutSeconds": -1}, ["timeoutSeconds: Invalid value: -1: must be greater than or equal to 0"]),
        ({"timeoutSeconds": 0}, []),
        ({"periodSeconds": -1}, ["periodSeconds: Invalid value: -1: must be greater than or equal to 0"]),
        ({"periodSeconds": 0}, []),
        ({"failureThreshold": -1}, ["failureThreshold: Invalid value: -1: must be greater than or equal to 0"]),
        ({"failureThreshold": 0}, []),
        ({"successThreshold": 0}, []),
        ({"successThreshold": 1}, []),
        ({"successThreshold": 2}, ["successThreshold: Invalid value: 2: must be 1"]),
        (
            {"successThreshold": -1},
            ["successThreshold: Invalid value: -1: must be greater than or equal to 0", "successThreshold: Invalid value: -1: must be 1"],
        ),
        ({"terminationGracePeriodSeconds": 1}, []),
        ({"terminationGracePeriodSeconds": 0}, ["terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0"]),
        ({"terminationGracePeriodSeconds": -1}, ["terminationGracePeriodSeconds: Invalid value: -1: must be greater than 0"]),
        ({"terminationGracePeriodSeconds": None}, []),
        (
            {
                "initialDelaySeconds": -2,
                "timeoutSeconds": -3,
                "periodSeconds": -4,
                "failureThreshold": -5,
                "terminationGracePeriodSeconds": -6,
            },
            [
                "initialDelaySeconds: Invalid value: -2: must be greater than or equal to 0",
                "timeoutSeconds: Invalid value: -3: must be greater than or equal to 0",
                "periodSeconds: Invalid value: -4: must be greater than or equal to 0",
                "failureThreshold: Invalid value: -5: must be greater than or equal to 0",
                "terminationGracePeriodSeconds: Invalid value: -6: must be greater than 0",
            ],
        ),
    ],
)
def test_a_probe_counts_and_waits(fields: JSONObject, errors: list[str]) -> None:
    assert of_running(**fields) == errors


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"successThreshold": 2}, []),
        ({"successThreshold": -1}, ["successThreshold: Invalid value: -1: must be greater than or equal to 0"]),
        ({"terminationGracePeriodSeconds": 1}, ["terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes"]),
        (
            {"terminationGracePeriodSeconds": 0},
            [
                "terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0",
                "terminationGracePeriodSeconds: Invalid value: 0: must not be set for readinessProbes",
            ],
        ),
    ],
)
def test_a_container_may_be_ready_after_some_successes_but_is_not_ended(fields: JSONObject, errors: list[str]) -> None:
    assert of_probe("readinessProbe", {"exec": {"command": ["a"]}, **fields}) == errors


@pytest.mark.parametrize(
    ("port", "errors"),
    [
        (1, []),
        (65535, []),
        (0, ["Invalid value: 0: must be between 1 and 65535, inclusive"]),
        (65536, ["Invalid value: 65536: must be between 1 and 65535, inclusive"]),
        (-1, ["Invalid value: -1: must be between 1 and 65535, inclusive"]),
        ("http", []),
        ("z", []),
        ("a" * 15, []),
        ("a" * 16, ['Invalid value: "aaaaaaaaaaaaaaaa": must be no more than 15 characters']),
        ("a-1", []),
        ("1", [f'Invalid value: "1": {NO_LETTER}']),
        ("1-1", [f'Invalid value: "1-1": {NO_LETTER}']),
        ("-a", ['Invalid value: "-a": must not begin or end with a hyphen']),
        ("a-", ['Invalid value: "a-": must not begin or end with a hyphen']),
        ("a--b", ['Invalid value: "a--b": must not contain consecutive hyphens']),
        ("", [f'Invalid value: "": {CHARSET}', f'Invalid value: "": {NO_LETTER}']),
        ("A", [f'Invalid value: "A": {CHARSET}', f'Invalid value: "A": {NO_LETTER}']),
        ("a_b", [f'Invalid value: "a_b": {CHARSET}']),
        ("é", [f'Invalid value: "é": {CHARSET}', f'Invalid value: "é": {NO_LETTER}']),
        ("{", [f'Invalid value: "{{": {CHARSET}', f'Invalid value: "{{": {NO_LETTER}']),
        (
            "--",
            [
                f'Invalid value: "--": {NO_LETTER}',
                'Invalid value: "--": must not contain consecutive hyphens',
                'Invalid value: "--": must not begin or end with a hyphen',
            ],
        ),
        (True, []),
        (None, ["Invalid value: 0: must be between 1 and 65535, inclusive"]),
    ],
)
def test_a_port_has_a_number_or_a_name(port: JSONValue, errors: list[str]) -> None:
    assert of_port(port) == errors
