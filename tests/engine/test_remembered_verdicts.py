"""A remembered verdict equals the one that would be computed, and is used as long as its inputs stay the same."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from tests.doors.cases import CASES, Case
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent, is_snapshot
from weighbridge.policies.facts.staleness import Staleness
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict import remembered
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.policies.verdict.remembered import Verdicts

_CASES = [case for case in CASES if case.cluster and not any(map(is_snapshot, case.cluster))][5::12]
_PHASES = (Phase.MUTATE, Phase.VALIDATE)
_SERVICE = next(case for case in CASES if case.id == "llmkube/leaves-the-cuda-image-to-the-operator")
_KIND = ("inference.llmkube.dev", "InferenceService")


def in_time() -> bool:
    return False


class Asked:
    """Verdicts on dry runs, with the number of those that the engine computed."""

    def __init__(self, facts: Facts, config: Configuration, *, is_dry: bool = True) -> None:
        self.verdicts, self.facts, self.config, self.worked_out, self.is_dry = Verdicts(), facts, config, 0, is_dry

    def __call__(self, request: Request, phase: Phase = Phase.VALIDATE, is_late: Callable[[], bool] = in_time) -> Decision:
        request = replace(request, object=copy.deepcopy(request.object), dry_run=self.is_dry)

        def work_out(facts: Facts) -> Decision:
            self.worked_out += 1
            return decide(request, facts, self.config, phase)

        return self.verdicts.once(request, self.facts, self.config, phase, work_out, is_late).summary()


def known(case: Case, objects: Sequence[JSONObject], extent: Extent | None = None) -> Facts:
    definitions = case.facts().definitions
    if extent is None:
        found = from_objects(objects, definitions)
        extent = Extent(frozenset(found.objects.kinds() | ({("", "Node")} if found.inventory is not None else set())))
    return from_objects(objects, definitions, extent=extent)


def plain(request: Request, facts: Facts, config: Configuration, phase: Phase) -> Decision:
    return decide(replace(request, object=copy.deepcopy(request.object)), facts, config, phase).summary()


def service(**metadata: object) -> Request:
    request = _SERVICE.request()
    assert isinstance(request.object, dict)
    return replace(request, object={**request.object, "metadata": {**metadata_of(request.object), **metadata}})


@pytest.mark.parametrize("case", _CASES, ids=[case.id for case in _CASES])
def test_after_each_change_the_verdict_is_that_of_a_new_state(case: Case) -> None:
    order = [obj for obj in case.cluster or () if obj.get("kind") != "Node"]
    nodes = [obj for obj in case.cluster or () if obj.get("kind") == "Node"]
    ask, config, request = Asked(known(case, [*nodes, *order]), case.configuration()), case.configuration(), case.request()
    found = from_objects([*nodes, *order], ask.facts.definitions)
    extent = Extent(frozenset(found.objects.kinds() | ({("", "Node")} if found.inventory is not None else set())))

    def agrees() -> None:
        fresh = known(case, [*nodes, *order], extent)
        for phase in _PHASES:
            assert ask(request, phase) == plain(request, fresh, config, phase)

    agrees()
    for changed in tuple(order):
        gvk = GroupVersionKind.from_object(changed)
        assert gvk is not None
        order.remove(changed)
        ask.facts.objects.discard(gvk.group, gvk.kind, namespace_of(changed), name_of(changed))
        agrees()
        order.append(changed)
        ask.facts.objects.put(changed)
        agrees()


def written(request: Request, number: int) -> Request:
    """The request as it would come with the object's n-th write."""
    fields = [{"manager": "kubectl", "operation": "Apply", "time": f"2026-01-01T00:00:0{number}Z"}]
    bookkeeping = {"managedFields": fields, "resourceVersion": str(number)}
    created = {"uid": f"u{number}", "creationTimestamp": f"2026-01-0{number}T00:00:00Z"} if request.operation is Operation.CREATE else {}

    def with_metadata(obj: JSONValue, metadata: JSONObject) -> JSONValue:
        return {**obj, "metadata": {**metadata_of(obj), **metadata}} if isinstance(obj, dict) else obj

    obj, old = with_metadata(request.object, bookkeeping | created), with_metadata(request.old_object, bookkeeping)
    return replace(request, object=obj, old_object=old)


def test_what_the_server_writes_with_each_write_has_no_say_in_any_verdict() -> None:
    again = 0
    for case in CASES[::5]:
        facts, config = case.facts(), case.configuration()
        if config.policies is not None:
            continue
        one, other = written(case.request(), 1), written(case.request(), 2)
        for phase in _PHASES:
            ask = Asked(facts, config)
            assert ask(one, phase) == ask(other, phase) == plain(other, facts, config, phase), case.id
            again += 2 - ask.worked_out
    assert again > 300


def test_an_object_of_another_author_is_filled_in_anew() -> None:
    case = next(case for case in CASES if case.id == "ome/fills-the-kind-of-a-model-of-the-namespace")
    ask, request = Asked(case.facts(), case.configuration()), case.request()
    assert isinstance(request.object, dict)
    # The CRD's default, which the author may have written or not.
    spec = {**request.object["spec"], "model": {**request.object["spec"]["model"], "kind": "ClusterBaseModel"}}
    patches = []
    for field in ("f:name", "f:kind", "f:name"):
        entry = {"manager": "flux", "operation": "Apply", "fieldsV1": {"f:spec": {"f:model": {field: {}}}}}
        written = replace(
            request, object={**request.object, "metadata": {**metadata_of(request.object), "managedFields": [entry]}, "spec": spec}
        )
        found = ask(written, Phase.MUTATE)
        assert found == plain(written, case.facts(), case.configuration(), Phase.MUTATE)
        patches.append(found.patch)
    assert patches[0] == patches[2] != patches[1]
    assert ask.worked_out == 2


def test_a_write_is_remembered_when_it_comes_again() -> None:
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration(), is_dry=False)
    found = [(ask(service()), ask.worked_out, len(ask.verdicts)) for _ in range(4)]
    assert [counts for _, *counts in found] == [[1, 0], [2, 1], [2, 1], [2, 1]]
    assert found[0][0] == found[3][0]


def test_a_write_is_answered_by_the_verdict_on_its_dry_run() -> None:
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration())
    ask(service())
    ask.is_dry = False
    ask(service())
    assert ask.worked_out == 1


def test_few_writes_that_came_once_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_MOST_WRITES", 2)
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration(), is_dry=False)
    for label in ("a", "b", "c", "a", "c", "c"):
        ask(service(labels={"for": label}))
    # By the second "a", its first has been dropped. "c" is remembered at its second time.
    assert ask.worked_out == 5


@pytest.mark.parametrize("others", [10, 20])
def test_other_objects_of_the_kind_cost_no_new_verdict(others: int) -> None:
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration())
    first = ask(service(resourceVersion="0"))
    for number in range(others):
        metadata = {**metadata_of(_SERVICE.object), "name": f"other-{number}", "uid": f"u{number}"}
        ask.facts.objects.put({**_SERVICE.object, "metadata": metadata})
        assert ask(service(resourceVersion=str(number))) == first
    assert ask.worked_out == 1


def test_a_change_of_what_was_read_costs_a_new_verdict() -> None:
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration())
    ask(service())
    model = next(obj for obj in _SERVICE.cluster or () if obj.get("kind") == "Model")
    ask.facts.objects.put({**model, "spec": {**model["spec"], "format": "safetensors"}})
    ask(service())
    assert ask.worked_out == 2


def test_requests_that_differ_have_verdicts_of_their_own() -> None:
    base, ask = service(), Asked(_SERVICE.facts(), _SERVICE.configuration())
    requests = [
        base,
        service(labels={"a": "b"}),
        service(name="another"),
        replace(base, name="another"),
        replace(base, namespace="another"),
        replace(base, operation=Operation.UPDATE, old_object=base.object),
        replace(base, subresource="status"),
        replace(base, user_info={"username": "anna"}),
        replace(base, user_info={"username": "anna", "groups": ["a"]}),
    ]
    for request in requests:
        ask(request)
    assert ask.worked_out == len(requests)


def test_other_nodes_or_another_configuration_end_all_verdicts() -> None:
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration())
    ask(service())
    ask.facts = replace(ask.facts, inventory=None)
    ask(service())
    ask.config = parse({"onError": "warn"})
    ask(service())
    assert ask.worked_out == 3
    assert len(ask.verdicts) == 1


def test_a_verdict_that_may_be_another_one_the_next_time_is_not_remembered() -> None:
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration())
    ask(replace(service(), moment=datetime(2026, 1, 1, tzinfo=UTC)))
    ask(service(), is_late=lambda: True)
    ask.facts = replace(ask.facts, staleness=Staleness(7.0, {}, 60.0))
    ask(service())
    assert (ask.worked_out, len(ask.verdicts)) == (3, 0)


def test_a_failed_verdict_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration())

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr("weighbridge.policies.verdict.prediction.predict", fail)
    assert not ask(service()).allowed
    monkeypatch.undo()
    assert ask(service()).allowed
    assert ask.worked_out == 2


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Asked(_SERVICE.facts(), _SERVICE.configuration())
    ask(service(name="s0"))
    monkeypatch.setattr(remembered, "_MOST_BYTES", 3 * ask.verdicts.size)
    for number in range(1, 5):
        ask(service(name=f"s{number}"))
    assert len(ask.verdicts) == 3
    ask(service(name="s4"))
    assert ask.worked_out == 5
    monkeypatch.setattr(remembered, "_LONGEST", 100)
    ask(service(name="s5"))
    ask(service(name="s5"))
    assert (ask.worked_out, len(ask.verdicts)) == (7, 3)
    monkeypatch.undo()
    ask.config = parse({})
    ask(service(name="s0"))
    assert (len(ask.verdicts), ask.verdicts.size > 0) == (1, True)


def test_what_the_mutating_webhook_leaves_alone_is_not_looked_for() -> None:
    case = next(case for case in CASES if case.object.get("kind") == "AIMService" and case.cluster)
    ask = Asked(case.facts(), case.configuration())
    ask(case.request(), Phase.MUTATE)
    assert len(ask.verdicts) == 0
