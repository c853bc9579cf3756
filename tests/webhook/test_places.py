"""Which connection is closed for a new one."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from weighbridge.webhook.server.connections.places import Places


@dataclass(eq=False)
class _Held:
    """A connection with a given state."""

    name: str
    address: str = "10.0.0.1"
    is_calling: bool = False
    waits: tuple[bool, float] = (False, 0.0)
    gone: list[str] = field(default_factory=list)

    def give_way(self) -> None:
        """Notes that it had to give way."""
        self.gone.append(self.name)


def _gone(places: Places, connections: list[_Held]) -> list[str]:
    """The names of the connections that had to give way, in order."""
    gone: list[str] = []
    for connection in connections:
        connection.gone = gone
        places.take(connection)
    return gone


def test_the_one_that_has_waited_the_longest_goes_and_never_the_new_one() -> None:
    held = [_Held("b", waits=(False, 2.0)), _Held("a", waits=(False, 1.0)), _Held("c", waits=(False, 3.0))]
    assert _gone(Places(3, 100), [*held, _Held("new", waits=(False, 0.0)), _Held("newer", waits=(False, 9.0))]) == ["a", "new"]


def test_one_that_is_in_its_head_goes_before_one_that_is_kept_for_its_next_call() -> None:
    held = [_Held("kept", waits=(True, 1.0)), _Held("in its head", waits=(False, 5.0)), _Held("kept longer", waits=(True, 0.5))]
    new = [_Held(f"new {number}", is_calling=True) for number in range(3)]
    assert _gone(Places(3, 100), held + new) == ["in its head", "kept longer", "kept"]


def test_a_call_is_never_ended_for_a_new_connection() -> None:
    assert _gone(Places(2, 1), [_Held(str(number), is_calling=True) for number in range(10)]) == []


@pytest.mark.parametrize("most", [4, 100])
def test_an_address_with_too_many_gives_way_to_itself(most: int) -> None:
    probe = _Held("probe", address="10.0.0.2", waits=(False, 0.0))
    flood = [_Held(str(number), waits=(False, float(number))) for number in range(1, 7)]
    assert _gone(Places(most, 3), [probe, *flood]) == ["1", "2", "3"]


def test_of_several_addresses_the_one_with_the_most_gives_way() -> None:
    few = [_Held(f"few {number}", address="10.0.0.2") for number in range(2)]
    many = [_Held(f"many {number}", waits=(False, 5.0 + number)) for number in range(3)]
    assert _gone(Places(5, 100), [*few, *many, _Held("new", address="10.0.0.3")]) == ["many 0"]


def test_where_all_of_the_most_are_in_calls_another_address_gives_way() -> None:
    calling = [_Held(str(number), is_calling=True) for number in range(3)]
    assert _gone(Places(4, 100), [*calling, _Held("idle", address="10.0.0.2"), _Held("new", address="10.0.0.3")]) == ["idle"]


def test_a_place_is_free_once_its_connection_is_gone() -> None:
    places, connection = Places(1, 1), _Held("a")
    assert _gone(places, [connection]) == []
    places.leave(connection)
    places.leave(connection)
    assert len(places) == 0
    assert _gone(places, [_Held("b")]) == []
    assert len(places) == 1
