"""The API server's errors on a pod's preferences, its affinity to other pods, and its spread."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.affinity import affinity_errors, spread_errors
from weighbridge.policies.schema.names import dns1123_label, label_value, qualified_name

LABEL = dns1123_label("_")[0]
QUALIFIED = qualified_name("a b")[0]
VALUE = label_value("a b")[0]
OPERATOR = "not a valid selector operator"
EMPTY = "name part must be non-empty"
NO_SELECTOR = "Forbidden: must not be specified when labelSelector is not set"
NO_KEY = "topologyKey: Required value: can not be empty"
WEIGHT = "must be in the range 1-100"


REQUIRED, PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
BAD: JSONObject = {"matchExpressions": [{"key": "a", "operator": "Is"}]}


def of_affinity(affinity: JSONObject) -> list[str]:
    """The errors on the affinity of a pod."""
    return [str(error).removeprefix("a.") for error in affinity_errors(affinity, "a")]


def of_pod_term(term: JSONObject) -> list[str]:
    """The errors on a term about other pods, in each place where one can be."""
    found = set[tuple[str, ...]]()
    for kind in ("podAffinity", "podAntiAffinity"):
        for field, entry, beyond in ((REQUIRED, term, ""), (PREFERRED, {"weight": 1, "podAffinityTerm": term}, "podAffinityTerm.")):
            errors = of_affinity({kind: {field: [{**entry}]}})
            where = f"{kind}.{field}[0].{beyond}"
            found.add(tuple(error.removeprefix(where).removeprefix(where.removesuffix(".")) for error in errors))
    (errors_anywhere,) = found
    return list(errors_anywhere)


def of_weight(weight: JSONValue) -> list[str]:
    """The errors on the weight of a preference, of a node or of other pods."""
    of_node = of_affinity({"nodeAffinity": {PREFERRED: [{"weight": weight, "preference": {}}]}})
    of_pods = of_affinity({"podAffinity": {PREFERRED: [{"weight": weight, "podAffinityTerm": {"topologyKey": "t"}}]}})
    errors = [error.removeprefix(f"nodeAffinity.{PREFERRED}[0].weight: ") for error in of_node]
    assert errors == [error.removeprefix(f"podAffinity.{PREFERRED}[0].weight: ") for error in of_pods]
    return errors


def of_spread(constraint: JSONObject) -> list[str]:
    """The errors on the second of two topology spread constraints."""
    good: JSONObject = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    found = spread_errors([{**good, "topologyKey": "host"}, {**good, **constraint}], "cs")
    return [str(error).removeprefix("cs[1].") for error in found]


@pytest.mark.parametrize(
    ("term", "errors"),
    [
        ({"topologyKey": "zone"}, []),
        (
            {
                "topologyKey": "kubernetes.io/hostname",
                "labelSelector": {"matchLabels": {"a": "b"}},
                "namespaceSelector": {},
                "namespaces": ["a", "b-1"],
            },
            [],
        ),
        ({}, [NO_KEY, f'topologyKey: Invalid value: "": {EMPTY}', f'topologyKey: Invalid value: "": {QUALIFIED}']),
        ({"topologyKey": ""}, [NO_KEY, f'topologyKey: Invalid value: "": {EMPTY}', f'topologyKey: Invalid value: "": {QUALIFIED}']),
        ({"topologyKey": "a b"}, [f'topologyKey: Invalid value: "a b": {QUALIFIED}']),
        (
            {"topologyKey": "t", "namespaces": ["A", "b", "c.d"]},
            [f'namespace: Invalid value: "A": {LABEL}', 'namespace: Invalid value: "c.d": must not contain dots'],
        ),
        (
            {"topologyKey": "t", "labelSelector": {"matchExpressions": [{"key": "a", "operator": "Is"}]}},
            [f'labelSelector.matchExpressions[0].operator: Invalid value: "Is": {OPERATOR}'],
        ),
        (
            {"topologyKey": "t", "namespaceSelector": {"matchLabels": {"a": "b c"}}},
            [f'namespaceSelector.matchLabels: Invalid value: "b c": {VALUE}'],
        ),
        (
            {"topologyKey": "t", "labelSelector": {"matchLabels": {"a": "b"}}, "matchLabelKeys": ["a", "c"], "mismatchLabelKeys": ["d"]},
            [],
        ),
        ({"topologyKey": "t", "matchLabelKeys": ["a"], "mismatchLabelKeys": []}, [f"matchLabelKeys: {NO_SELECTOR}"]),
        ({"topologyKey": "t", "mismatchLabelKeys": ["a b"]}, [f"mismatchLabelKeys: {NO_SELECTOR}"]),
        (
            {"topologyKey": "t", "labelSelector": {}, "matchLabelKeys": ["a", "a b"], "mismatchLabelKeys": ["", "a"]},
            [
                f'matchLabelKeys[1]: Invalid value: "a b": {QUALIFIED}',
                f'mismatchLabelKeys[0]: Invalid value: "": {EMPTY}',
                f'mismatchLabelKeys[0]: Invalid value: "": {QUALIFIED}',
                'matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys',
            ],
        ),
        (
            {
                "topologyKey": "t",
                "labelSelector": {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": "Exists"}]},
                "matchLabelKeys": ["c", "a"],
            },
            ['[1]: Invalid value: "a": exists in both matchLabelKeys and labelSelector'],
        ),
        (
            {"namespaces": ["A"], "namespaceSelector": {"matchLabels": {"a": "b c"}}, "labelSelector": {"matchLabels": {"a": "b c"}}},
            [
                f'labelSelector.matchLabels: Invalid value: "b c": {VALUE}',
                f'namespaceSelector.matchLabels: Invalid value: "b c": {VALUE}',
                f'namespace: Invalid value: "A": {LABEL}',
                NO_KEY,
                f'topologyKey: Invalid value: "": {EMPTY}',
                f'topologyKey: Invalid value: "": {QUALIFIED}',
            ],
        ),
    ],
)
def test_a_term_about_other_pods_says_which_and_how_near(term: JSONObject, errors: list[str]) -> None:
    assert of_pod_term(term) == errors


@pytest.mark.parametrize(
    ("weight", "errors"),
    [
        (1, []),
        (100, []),
        (0, [f"Invalid value: 0: {WEIGHT}"]),
        (101, [f"Invalid value: 101: {WEIGHT}"]),
        (-1, [f"Invalid value: -1: {WEIGHT}"]),
        (None, [f"Invalid value: 0: {WEIGHT}"]),
    ],
)
def test_a_preference_weighs_from_1_to_100(weight: JSONValue, errors: list[str]) -> None:
    assert of_weight(weight) == errors


@pytest.mark.parametrize(
    ("constraint", "errors"),
    [
        ({}, []),
        ({"maxSkew": 0}, ["maxSkew: Invalid value: 0: must be greater than zero"]),
        ({"maxSkew": -1}, ["maxSkew: Invalid value: -1: must be greater than zero"]),
        ({"maxSkew": 2}, []),
        ({"topologyKey": ""}, [NO_KEY]),
        ({"whenUnsatisfiable": ""}, ['whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"']),
        ({"whenUnsatisfiable": "ScheduleAnyway"}, []),
        ({"minDomains": 1}, []),
        ({"minDomains": 0}, ["minDomains: Invalid value: 0: must be greater than zero"]),
        ({"minDomains": -1}, ["minDomains: Invalid value: -1: must be greater than zero"]),
        ({"minDomains": None}, []),
        (
            {"minDomains": 0, "whenUnsatisfiable": "ScheduleAnyway"},
            [
                "minDomains: Invalid value: 0: must be greater than zero",
                "minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
            ],
        ),
        ({"labelSelector": {"matchLabels": {"a": "b c"}}}, [f'labelSelector.matchLabels: Invalid value: "b c": {VALUE}']),
        ({"labelSelector": None}, []),
        ({"matchLabelKeys": ["a"]}, [f"matchLabelKeys: {NO_SELECTOR}"]),
        (
            {"labelSelector": {}, "matchLabelKeys": ["a b"], "nodeTaintsPolicy": "honor"},
            [
                'nodeTaintsPolicy: Unsupported value: "honor": supported values: "Honor", "Ignore"',
                f'matchLabelKeys[0]: Invalid value: "a b": {QUALIFIED}',
            ],
        ),
        (
            {
                "nodeTaintsPolicy": "honor",
                "nodeAffinityPolicy": "",
                "labelSelector": {"matchLabels": {"a": "b c"}},
                "minDomains": 0,
                "whenUnsatisfiable": "x",
                "topologyKey": "",
                "maxSkew": 0,
            },
            [
                "maxSkew: Invalid value: 0: must be greater than zero",
                NO_KEY,
                'whenUnsatisfiable: Unsupported value: "x": supported values: "DoNotSchedule", "ScheduleAnyway"',
                "minDomains: Invalid value: 0: must be greater than zero",
                "minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not x",
                'nodeAffinityPolicy: Unsupported value: "": supported values: "Honor", "Ignore"',
                'nodeTaintsPolicy: Unsupported value: "honor": supported values: "Honor", "Ignore"',
                f'labelSelector.matchLabels: Invalid value: "b c": {VALUE}',
            ],
        ),
    ],
)
def test_replicas_spread_over_a_label_of_nodes(constraint: JSONObject, errors: list[str]) -> None:
    assert of_spread(constraint) == errors


def test_a_preference_of_nodes_is_a_term_that_may_be_looser() -> None:
    term = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b c"]}, {"key": "a", "operator": "Gt", "values": ["1"]}]}
    assert of_affinity({"nodeAffinity": {PREFERRED: [{"weight": 1, "preference": term}]}}) == []
    bad = of_affinity({"nodeAffinity": {PREFERRED: [{"weight": 1, "preference": term}, {"weight": 0, "preference": BAD}]}})
    where = f"nodeAffinity.{PREFERRED}[1]"
    assert bad == [
        f"{where}.weight: Invalid value: 0: {WEIGHT}",
        f'{where}.preference.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    ]


def test_of_many_terms_each_is_told_where_it_stands() -> None:
    good, bad = {"topologyKey": "t"}, {"topologyKey": ""}
    required = {REQUIRED: [good, bad], PREFERRED: [{"weight": 1, "podAffinityTerm": good}, {"podAffinityTerm": good}]}
    found = of_affinity({"podAntiAffinity": required, "podAffinity": required, "nodeAffinity": {PREFERRED: [{"weight": 101}]}})
    assert list(dict.fromkeys(error.split(": ")[0] for error in found)) == [
        f"nodeAffinity.{PREFERRED}[0].weight",
        *(
            f"{kind}.{where}"
            for kind in ("podAffinity", "podAntiAffinity")
            for where in (f"{REQUIRED}[1].topologyKey", f"{PREFERRED}[1].weight")
        ),
    ]
