"""Values of a prediction that are computed on demand."""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.families.prediction import Deferred, PredictedValue, Prediction

ONE = PredictedValue("Deployment/chat", "spec.replicas", 1, "InferenceService chat spec.replicas", "")
OTHER = ONE._replace(field="spec.paused", value=False)


def test_nothing_is_worked_out_until_somebody_looks() -> None:
    """The webhook shows no values, so it doesn't wait for them."""
    asked: list[int] = []

    def work_out() -> Iterator[PredictedValue]:
        asked.append(1)
        yield from (ONE, OTHER)

    effective = Prediction({}, values=Deferred(work_out))
    assert not asked
    assert [value["field"] for value in effective.as_json()["values"]] == ["spec.replicas", "spec.paused"]
    assert len(effective.values) == 2
    assert effective.values[1] is OTHER
    assert effective.values[:1] == (ONE,)
    assert asked == [1]
