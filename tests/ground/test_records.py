"""Classes declared by `records` behave like those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from weighbridge.policies.ground import records

BOTH = pytest.mark.parametrize("of", [records, dataclasses], ids=["ours", "standard"])
OPTIONS: tuple[dict[str, bool], ...] = (
    {},
    {"slots": True},
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "slots": True, "order": True},
)


def declared(of: Any, options: dict[str, bool]) -> Any:
    """A class with each kind of field, and one that inherits from it."""

    @of.dataclass(**options)
    class Point:
        unit: ClassVar[str] = "m"
        x: int
        y: int = 2
        tags: list[str] = of.field(default_factory=list, compare=False)
        note: str = of.field(default="", repr=False)

    @of.dataclass(**options)
    class Named(Point):
        name: str = "n"
        y: int = 3

        def __post_init__(self) -> None:
            assert self.name

    return SimpleNamespace(Point=Point, Named=Named)


def outcome(act: Any) -> Any:
    try:
        return act()
    except (TypeError, AttributeError, ValueError) as error:
        return type(error)


def behaviour(of: Any, options: dict[str, bool]) -> list[Any]:
    made = declared(of, options)
    one, same, other = made.Point(1), made.Point(1, 2, ["t"]), made.Point(x=5, note="n")
    child = made.Named(1, tags=["a"])
    return [
        *map(repr, (one, same, other, child)),
        one == same,
        one == other,
        one == child,
        outcome(lambda: hash(one) == hash(same)),
        outcome(lambda: one < other),
        outcome(lambda: one >= child),
        one.tags is not other.tags,
        made.Point.__match_args__,
        made.Named.__match_args__,
        made.Named.__qualname__,
        made.Point.unit,
        hasattr(one, "__dict__"),
        repr(of.replace(child, x=9)),
        repr(copy.copy(child)),
        outcome(lambda: setattr(one, "x", 4)),
        outcome(lambda: delattr(one, "x")),
        outcome(made.Point),
        outcome(lambda: made.Point(1, z=1)),
        dataclasses.is_dataclass(made.Named),
        [(field.name, field.default, field.compare, field.repr) for field in dataclasses.fields(made.Named)],
        dataclasses.asdict(child),
        dataclasses.astuple(other),
        made.Named.__dataclass_params__.frozen,
    ]


@pytest.fixture(params=[0, 1, 1000], ids=["compiled", "compiled at the second call", "not compiled"], autouse=True)
def _calls(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "_CALLS", request.param)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_class_behaves_as_in_the_standard_library(options: dict[str, bool]) -> None:
    assert behaviour(records, options) == behaviour(dataclasses, options)


def test_methods_say_the_same_before_and_after_they_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    point = declared(records, {"frozen": True, "slots": True, "order": True}).Point
    monkeypatch.setattr(records, "_CALLS", 1000)
    before = point(1, note="n")
    known = repr(before), hash(before)
    monkeypatch.setattr(records, "_CALLS", 0)
    after = point(1, note="n")
    assert (repr(after), hash(after)) == known
    assert before == after
    assert before.__init__.__qualname__ == after.__init__.__qualname__ == "declared.<locals>.Point.__init__"


WRONG: tuple[Callable[[Any], object], ...] = (
    lambda cls: cls(),
    lambda cls: cls(1, 2, [], "", 5),
    lambda cls: cls(1, x=1),
    lambda cls: cls(1, z=1),
    lambda cls: cls(y=1),
    lambda cls: cls(1, 2, [], "", note="n"),
)


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
def test_wrong_arguments_have_the_words_of_the_standard_library(wrong: Callable[[Any], object]) -> None:
    said = []
    for of in (records, dataclasses):
        with pytest.raises(TypeError) as caught:
            wrong(declared(of, {"frozen": True, "slots": True}).Point)
        said.append(str(caught.value))
    assert said[0] == said[1]


@BOTH
def test_what_takes_no_argument_is_made_anew(of: Any) -> None:
    @of.dataclass(slots=True)
    class Counter:
        step: int
        seen: list[int] = of.field(default_factory=list, init=False)
        last: int | None = of.field(default=None, init=False)

    made: Any = Counter
    counter = made(2)
    counter.seen.append(1)
    assert (made(2).seen, counter.last, of.replace(counter, step=3).seen) == ([], None, [])
    # The standard library raises a TypeError from Python 3.13 on.
    with pytest.raises((ValueError, TypeError), match="init=False"):
        of.replace(counter, seen=[1])


@BOTH
def test_a_class_may_have_methods_of_its_own(of: Any) -> None:
    @of.dataclass(frozen=True)
    class Odd:
        text: str

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

        def __repr__(self) -> str:
            return "odd"

    made: Any = Odd
    assert (made("a") == made("b"), hash(made("a")), repr(made("a"))) == (True, 1, "odd")


@BOTH
def test_a_default_that_objects_would_share_is_refused(of: Any) -> None:
    with pytest.raises(ValueError, match="default_factory"):

        @of.dataclass
        class Shared:
            items: list[str] = []  # noqa: RUF012 - what is tried


def test_a_class_that_only_inherits_may_have_other_attributes() -> None:
    base = declared(records, {"frozen": True}).Point

    class Plain(base):  # type: ignore[misc, valid-type]  # made in a function
        extra = 0

    plain = Plain(1)
    plain.extra = 4
    with pytest.raises(dataclasses.FrozenInstanceError):
        plain.x = 2
    assert (plain.extra, plain.x, repr(records.replace(plain, x=3))) == (4, 1, repr(Plain(3)))


def test_the_standard_library_can_inherit_from_a_class() -> None:
    base = declared(records, {"frozen": True}).Point

    @dataclasses.dataclass(frozen=True)
    class Longer(base):  # type: ignore[misc, valid-type]  # made in a function
        z: int = 7

    assert Longer(1, z=8) == Longer(1, z=8) != Longer(1)
    assert records.replace(Longer(1), z=9).z == 9
    assert [field.name for field in dataclasses.fields(Longer)] == ["x", "y", "tags", "note", "z"]


@records.dataclass(frozen=True, slots=True)
class Sent:
    """A class that another process can import."""

    a: int
    b: str = "b"


def test_an_object_can_be_sent_to_another_process() -> None:
    sent = Sent(3)
    assert pickle.loads(pickle.dumps(sent)) == sent
    assert copy.deepcopy(sent) == sent


def test_fields_say_what_they_were_given() -> None:
    @records.dataclass(frozen=True)
    class Setting:
        port: int = records.field(default=80, metadata={"flag": "--port"})
        host: str = ""

    port, host = records.fields(Setting)
    assert (port.name, port.default, port.metadata["flag"]) == ("port", 80, "--port")
    assert (host.default, host.metadata.get("flag")) == ("", None)
    assert dataclasses.fields(Setting)[0].metadata["flag"] == "--port"
