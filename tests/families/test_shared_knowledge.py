"""Small functions that all families use: which object is older, which version is used for another one, what is a secret, what is
installed.
"""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.creation import created, is_earlier
from weighbridge.policies.families.installed import is_installed
from weighbridge.policies.families.node_ports import node_port_refusal, taken_node_ports
from weighbridge.policies.families.plain_secrets import holds_secret, may_be_secret
from weighbridge.policies.families.prediction import Event, Merged, PredictedValue, Prediction, Setting, Table, choice_table, condition
from weighbridge.policies.families.references import CLAIMS, NAMESPACES, Referent
from weighbridge.policies.families.upstream_versions import parse_version, standing_for
from weighbridge.policies.ground.findings import Provenance, Unchecked
from weighbridge.policies.ground.objects import JSONObject

CRDS = ("apiextensions.k8s.io", "CustomResourceDefinition")


def at(time: str, name: str = "a") -> JSONObject:
    return {"metadata": {"name": name, **({"creationTimestamp": time} if time else {})}}


@pytest.mark.parametrize(
    ("other", "own", "earlier"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", True),
        ("2026-01-01T00:00:01Z", "2026-01-01T00:00:00Z", False),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", False),
        ("", "2026-01-01T00:00:00Z", False),
        ("2026-01-01T00:00:00Z", "", True),
        ("", "", True),
    ],
)
def test_of_two_objects_the_one_that_was_stored_before_is_the_earlier(other: str, own: str, earlier: bool) -> None:
    assert is_earlier(at(other), at(own)) is earlier
    assert created(at(other)) == other


@pytest.mark.parametrize(
    ("text", "version"),
    [("v0.9.19", (0, 9, 19)), ("1.20.300", (1, 20, 300)), ("v1.2", None), ("v1.2.3-rc1", None), ("vv1.2.3", None), ("", None)],
)
def test_a_version_has_three_numbers(text: str, version: Any) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize(
    ("wanted", "found"),
    [(None, "v3.0.0"), ((0, 1, 0), "v1.0.0"), ((1, 0, 0), "v1.0.0"), ((1, 0, 1), "v2.0.0"), ((2, 0, 0), "v2.0.0"), ((3, 0, 1), "v3.0.0")],
)
def test_the_first_that_is_not_older_stands_for_a_version(wanted: Any, found: str) -> None:
    assert standing_for(wanted, ("v1.0.0", "odd", "v2.0.0", "v3.0.0")) == found


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("HF_TOKEN", "12345abc", True),
        ("HF_TOKEN", "1234abc", False),
        ("TOKEN", "12345abc", True),
        ("api_key", "12345abc", True),
        ("APIKEY", "12345abc", True),
        ("TOKENS", "12345abc", False),
        ("TOKEN_PATH", "12345abc", False),
        ("MAX_TOKEN", "123456789", False),
        ("DB_PASSWORD", "/run/secrets/db", False),
        ("DB_PASSWORD", "https://x.example", False),
        ("DB_PASSWORD", "$(OTHER)-x", False),
        ("DB_PASSWORD", "a$(OTHER)x", False),
        ("ANYTHING", "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", True),
        ("ANYTHING", "12345abc", False),
    ],
)
def test_a_variable_holds_a_secret_by_its_name_or_its_form(name: str, value: str, secret: bool) -> None:
    assert holds_secret(name, value) is secret


@pytest.mark.parametrize(("value", "may"), [("12345678", False), ("1234567x", True), ("123456x", False), ("false", False), ("", False)])
def test_a_secret_has_eight_characters_that_are_no_number(value: str, may: bool) -> None:
    assert may_be_secret(value) is may


def crd(group: str) -> JSONObject:
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": CRDS[1], "metadata": {"name": f"x.{group}"}, "spec": {"group": group}}


@pytest.mark.parametrize(
    ("objects", "complete", "installed"),
    [([crd("a.b")], False, True), ([crd("c.d")], False, False), ([], False, None), ([], True, False)],
)
def test_an_add_on_is_installed_where_a_crd_is_of_its_group(objects: list[JSONObject], complete: bool, installed: bool | None) -> None:
    extent = Extent(complete=frozenset({CRDS}) if complete else frozenset())
    assert is_installed("a.b", from_objects(objects, Definitions(), extent=extent)) is installed


def service(name: str, *ports: int, namespace: str = "n") -> JSONObject:
    listed = [{"port": 80, **({"nodePort": port} if port else {})} for port in ports]
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "namespace": namespace}, "spec": {"ports": listed}}


def test_the_ports_of_all_other_services_are_taken() -> None:
    facts = from_objects([service("a", 1, 2), service("b", 0), service("a", 3, namespace="m")], Definitions())
    assert sorted(taken_node_ports(facts, service("a", 0, 1, 3, 9))) == [3]


@pytest.mark.parametrize(
    ("asked", "taken", "places"),
    [((0,), {0}, []), ((5,), {6}, []), ((5,), {5}, [(0, 5)]), ((0, 5), {5}, [(1, 5)]), ((5, 6), {5, 6}, [(0, 5), (1, 6)])],
)
def test_a_port_that_is_taken_is_refused_as_the_api_server_does(
    asked: tuple[int, ...], taken: set[int], places: list[tuple[int, int]]
) -> None:
    errors = [f"spec.ports[{at}].nodePort: Invalid value: {port}: provided port is already allocated" for at, port in places]
    said = errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]"
    assert node_port_refusal(service("a", *asked), taken) == (f'Service "a" is invalid: {said}' if errors else "")


def claim(name: str, namespace: str = "n") -> JSONObject:
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": namespace}}


def known(*objects: JSONObject, complete: bool = False) -> Facts:
    extent = Extent(complete=frozenset({("", "PersistentVolumeClaim")} if complete else ()), not_known=frozenset())
    return from_objects(objects, Definitions(), extent=extent)


def test_what_is_referred_to_is_there_missing_or_not_known() -> None:
    assert CLAIMS.is_missing(known(claim("a")), "n", "a") is False
    assert CLAIMS.is_missing(known(claim("a")), "n", "b") is True
    assert CLAIMS.is_missing(known(claim("a")), "m", "a") is True
    assert CLAIMS.is_missing(known(), "n", "a") is None
    assert CLAIMS.is_missing(known(complete=True), "n", "") is True
    assert CLAIMS.get(known(claim("a")), "n", "a") == claim("a")
    assert CLAIMS.get(known(claim("a")), "n", "") is None


def test_the_nearest_is_similar_or_one_of_the_first_few() -> None:
    facts = known(*map(claim, ("models", "alpha", "beta", "gamma")), claim("modelx", namespace="m"))
    assert CLAIMS.nearest(facts, "n", "model") == "models"
    assert CLAIMS.nearest(facts, "n", "zzz") == "alpha, beta, gamma"
    assert CLAIMS.nearest(facts, "n", "zzz", otherwise=1) == "alpha"
    assert CLAIMS.nearest(facts, "n", "zzz", otherwise=0) == ""


@pytest.mark.parametrize(
    ("referent", "plural"),
    [
        (CLAIMS, "PersistentVolumeClaims"),
        (NAMESPACES, "namespaces"),
        (Referent("g", "Kind"), "Kinds"),
        (Referent("g", "Kind", "all of it"), "all of it"),
    ],
)
def test_why_a_reference_cannot_be_judged(referent: Referent, plural: str) -> None:
    assert referent.unknown == f"not all {plural} of the cluster are known"


def test_a_prediction_is_reported_whole() -> None:
    written = PredictedValue("Deployment/a", "spec.x", 1, "InferenceService a spec.image", "as written")
    item = PredictedValue("Deployment/a", "spec.y[0]", "t", "InferenceService a spec.list", "as written")
    other = PredictedValue("Deployment/a", "spec.z", 2, "LLMKube v1", "its own")
    found = Prediction(
        status={"phase": "Ready"},
        objects=({"kind": "Deployment"},),
        values=(written, item, other),
        settings=(Setting("--flag", 3, "configuration"),),
        events=(Event("Reason", "note"),),
        failure="it failed",
        unchecked=(Unchecked("a", "b"),),
        tables=lambda: (Table("title", ("a", "b"), (("1", "2"),)),),
        merged=lambda: Merged("merged", "Merged/a", {"x": 1}),
    )
    filled = [
        Provenance(("spec", "image"), "i", "configuration", "by images"),
        Provenance(("spec", "list", 0), "t", "cluster", "by taint"),
        Provenance(("spec", "list", 1), "u", "cluster", "by another"),
    ]
    shown = found.as_json(filled)
    assert shown == {
        "status": {"phase": "Ready"},
        "objects": [{"kind": "Deployment"}],
        "values": [
            {**written.as_json(), "source": "InferenceService a spec.image, filled in", "reason": "configuration: by images"},
            {**item.as_json(), "source": "InferenceService a spec.list, filled in", "reason": "cluster: by taint"},
            {"object": "Deployment/a", "field": "spec.z", "value": 2, "source": "LLMKube v1", "reason": "its own"},
        ],
        "settings": [{"name": "--flag", "value": 3, "origin": "configuration"}],
        "events": [{"reason": "Reason", "note": "note"}],
        "tables": [{"title": "title", "columns": ["a", "b"], "rows": [["1", "2"]]}],
        "merged": {"title": "merged", "object": "Merged/a", "spec": {"x": 1}},
        "unchecked": [{"subject": "a", "reason": "b"}],
        "failure": "it failed",
    }
    assert Prediction({}).as_json() == {"status": {}, "objects": [], "values": [], "settings": [], "events": []}
    assert condition("T", "True", "R", "m") == {"type": "T", "status": "True", "reason": "R", "message": "m"}


@pytest.mark.parametrize(
    ("count", "chosen", "also", "first", "rest"),
    [
        (4, 1, 0, 0, ""),
        (5, 1, 0, 1, "of 5; 4 don't fit"),
        (5, 1, 1, 1, "of 5; 1 fits as well, 3 don't fit"),
        (6, 1, 4, 1, "of 6; 4 fit as well, 1 doesn't fit"),
        (60, 0, 0, 3, "of 60; none of them fits"),
    ],
)
def test_a_wide_choice_says_how_many_others_there_are(count: int, chosen: int, also: int, first: int, rest: str) -> None:
    rows = [(str(number),) for number in range(count)]
    table = choice_table("t", ("a",), rows, chosen, also)
    assert (table.rows, table.first, table.rest) == (rows, first, rest)
    assert table.as_json() == {"title": "t", "columns": ["a"], "rows": [[str(number)] for number in range(count)]} | (
        {"first": first, "rest": rest} if rest else {}
    )
