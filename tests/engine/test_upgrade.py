"""The combined verdicts of several releases."""

from __future__ import annotations

from weighbridge.policies.families.fill.record import KEY
from weighbridge.policies.ground.findings import Decision, Finding, Outlook, PodPlacement, Provenance, Severity
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.server_release import RELEASES
from weighbridge.policies.verdict.judgement import mutation_warnings
from weighbridge.policies.verdict.upgrade import STORED_OTHERWISE, compared, differences

OLD, NEW = RELEASES[0], RELEASES[-1]


def _finding(message: str, *path: str) -> Finding:
    return Finding("R-1", Severity.WARNING, path, message)


def _stored(value: JSONValue) -> Decision:
    return Decision(True, 201, object=value)


def test_a_refusal_by_one_release_is_the_verdict() -> None:
    refused = Decision(False, 422, message="no", causes=[{"field": "a"}])
    for judged in ([(OLD, refused), (NEW, _stored({}))], [(OLD, _stored({})), (NEW, refused)]):
        found = compared(judged)
        assert (found.allowed, found.code, found.message, found.causes) == (False, 422, "no", [{"field": "a"}])


def test_findings_of_all_releases_are_told_in_the_newest_ones_words() -> None:
    old, new = Decision(True, 201, findings=[_finding("once", "a")]), Decision(True, 201, findings=[_finding("now", "a")])
    assert [finding.message for finding in compared([(OLD, old), (NEW, new)]).findings] == ["now"]


def test_findings_and_warnings_of_some_say_whose_they_are() -> None:
    old = Decision(True, 201, findings=[_finding("gone", "a")], warnings=["both", "w"])
    new = Decision(True, 201, findings=[_finding("came", "b")], warnings=["both"])
    found = compared([(OLD, old), (NEW, new)])
    assert [finding.message for finding in found.findings] == ["in Kubernetes 1.34: gone", "in Kubernetes 1.37: came"]
    assert found.warnings == ["both", "in Kubernetes 1.34: w"]


def test_each_value_that_is_stored_otherwise_is_noted() -> None:
    old = _stored({"spec": {"same": 1, "gone": "x", "list": [1, {"a": True}]}})
    new = _stored({"spec": {"same": 1, "list": [1, {"a": False}], "came": 2}})
    notes = compared([(OLD, old), (NEW, new)]).findings
    assert {(note.rule, note.severity) for note in notes} == {(STORED_OTHERWISE, Severity.NOTE)}
    assert [str(note) for note in notes] == [
        'spec.gone: Kubernetes 1.37 stores nothing, and 1.34 "x"',
        "spec.list[1].a: Kubernetes 1.37 stores false, and 1.34 true",
        "spec.came: Kubernetes 1.37 stores 2, and 1.34 nothing",
    ]


def test_one_release_is_its_own_verdict() -> None:
    only = _stored({})
    assert compared([(NEW, only)]) is only


# --- differences between two releases, one by one ---


class Nodes:
    """Nodes that could run a pod."""

    def __init__(self, *feasible: str) -> None:
        self.feasible = feasible
        self.rejected: dict[str, list[str]] = {}


def _changes(old: Decision, new: Decision) -> list[tuple[str, str, str]]:
    return [(str(change.what), change.field, change.message) for change in differences((OLD, old), (NEW, new))]


def _refused(*messages: str) -> Decision:
    findings = [Finding("R-1", Severity.ERROR, (message,), message) for message in messages]
    return Decision(not messages, 422 if messages else 201, findings=findings, object={})


def test_what_only_the_later_release_refuses_is_refused_and_the_other_way_round_taken_again() -> None:
    assert _changes(_refused(), _refused("a")) == [("refused", "a", "a")]
    assert _changes(_refused("a"), _refused()) == [("taken again", "a", "a")]


def test_another_reason_of_two_refusals_is_no_new_refusal() -> None:
    assert _changes(_refused("a"), _refused("a")) == []
    assert _changes(_refused("a"), _refused("b")) == [("refused otherwise", "b", "b")]


def test_warnings_that_come_and_go_are_said_once_each() -> None:
    old = Decision(True, 201, findings=[_finding("gone", "a")], warnings=["a: gone", "w", "both"])
    new = Decision(True, 201, findings=[_finding("came", "b")], warnings=["both", "v", "v"])
    assert _changes(old, new) == [
        ("warned of", "b", "came"),
        ("warned of no longer", "a", "gone"),
        ("warned of", "", "v"),
        ("warned of no longer", "", "w"),
    ]


def test_a_filled_in_value_is_told_apart_from_a_stored_one_and_its_warning_left_out() -> None:
    filled = Provenance(("spec", "image"), "x", "table", "because")
    old = Decision(True, 201, object={"spec": {"image": "x", "n": 1}}, provenance=[filled], warnings=mutation_warnings([filled]))
    new = Decision(True, 201, object={"spec": {"n": 2}})
    assert _changes(old, new) == [
        ("filled in otherwise", "spec.image", 'Kubernetes 1.37 fills in nothing, and 1.34 "x"'),
        ("stored otherwise", "spec.n", "Kubernetes 1.37 stores 2, and 1.34 1"),
    ]


def test_what_follows_from_other_values_is_no_change() -> None:
    def stored(**metadata: JSONValue) -> Decision:
        return _stored({"metadata": {"name": "a", **metadata}})

    assert _changes(stored(generation=1, annotations={KEY: "[]"}), stored(generation=2)) == []
    assert _changes(stored(annotations={KEY: "[]", "a": "b"}), stored(annotations={"a": "b"})) == []


def _makes(*objects: JSONValue) -> Decision:
    return Decision(True, 201, object={}, effective={"objects": list(objects)})


def _deployment(*args: str, replicas: int = 1) -> JSONValue:
    return {"kind": "Deployment", "metadata": {"name": "d"}, "spec": {"replicas": replicas, "args": list(args)}}


def test_objects_that_are_created_otherwise_name_what_differs() -> None:
    service = {"kind": "Service", "metadata": {"name": "s"}}
    assert _changes(_makes(service), _makes(service)) == []
    assert _changes(_makes(), _makes(service))[0][2] == "Kubernetes 1.37 creates Service/s, and 1.34 doesn't"
    assert _changes(_makes(service), _makes())[0][2] == "Kubernetes 1.37 doesn't create Service/s, and 1.34 does"
    assert _changes(_makes(_deployment("-a", "-b")), _makes(_deployment("-c", "-a", replicas=2))) == [
        (
            "created otherwise",
            "",
            'Kubernetes 1.37 creates Deployment/d otherwise than 1.34: spec.replicas 2 for 1, spec.args with "-c" and without "-b"',
        )
    ]
    assert _changes(_makes(_deployment("-a", "-b")), _makes(_deployment("-b", "-a")))[0][2].endswith("spec.args in another order")
    assert len(_changes(_makes(_deployment("-a")), _makes(_deployment("x" * 5000)))[0][2]) < 300


def test_pods_that_could_run_on_other_nodes_are_placed_otherwise() -> None:
    def placed(*nodes: str) -> Decision:
        return Decision(True, 201, object={}, placement=PodPlacement(Nodes(*nodes), "", (), Outlook.NOW))

    assert _changes(placed("a", "b"), placed("b", "a")) == []
    said = "Kubernetes 1.37 could place its pods on b, and 1.34 on a, b"
    assert _changes(placed("a", "b"), placed("b")) == [("placed otherwise", "", said)]
    assert _changes(placed("a"), placed())[0][2] == "Kubernetes 1.37 could place its pods on no node, and 1.34 on a"
    assert _changes(placed("a"), Decision(True, 201, object={})) == []


def test_credentials_are_left_out_of_values() -> None:
    old, new = ({"spec": {"source": f"https://user:{word}@example.com/m.gguf"}} for word in ("first-secret", "second-secret"))
    ((_, _, said),) = _changes(_stored(old), _stored(new))
    assert "secret" not in said
    assert "example.com/m.gguf" in said


def test_releases_of_a_system_are_named_by_it() -> None:
    class Release:
        system = "LLMKube"

        def __init__(self, name: str) -> None:
            self.name = name

    found = compared([(Release("v1"), Decision(True, 201, findings=[_finding("gone", "a")])), (Release("v2"), Decision(True, 201))])
    assert [finding.message for finding in found.findings] == ["in LLMKube v1: gone"]
