"""Each import contract of pyproject.toml holds, and breaks as soon as an import is planted that it must forbid.

The planted imports follow from the contract: an arrow upward between any two neighbouring layers, each forbidden module in each source, a
circle below each ancestor. So a new contract needs no change here, and one of another type fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any, Final

import grimp
import pytest
from importlinter import Contract
from importlinter.api import read_configuration
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

from tests.conftest import ROOT
from weighbridge.policies.families import family_names

TYPES: Final[dict[str, type[Contract]]] = {
    "acyclic_siblings": AcyclicSiblingsContract,
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
}
CONFIGURATION: Final = read_configuration(str(ROOT / "pyproject.toml"))
CONTRACTS: Final = CONFIGURATION["contracts_options"]
OPTIONS: Final = CONFIGURATION["session_options"]
#: Planted imports, each as importer and imported.
Plant = tuple[tuple[str, str], ...]


@cache
def tree() -> grimp.ImportGraph:
    """The imports of the project as it is."""
    return grimp.build_graph(*OPTIONS["root_packages"], include_external_packages=True, exclude_type_checking_imports=False, cache_dir=None)


def holds(contract: dict[str, Any], plant: Plant = ()) -> bool:
    """Whether a contract holds once these imports are planted."""
    graph = deepcopy(tree())
    for importer, imported in plant:
        for module in {importer, imported} - graph.modules:
            graph.add_module(module, is_squashed=module.partition(".")[0] not in OPTIONS["root_packages"])
        graph.add_import(importer=importer, imported=imported)
    kind = TYPES[contract["type"]]
    return kind(name=contract["name"], session_options=OPTIONS, contract_options=contract).check(graph, verbose=False).kept


def plants(contract: dict[str, Any]) -> Iterator[Plant]:
    """The imports that break a contract."""
    match contract["type"]:
        case "layers":
            for container in contract.get("containers", [""]):
                yield from _upward([_names(layer, container) for layer in contract["layers"]])
                if contract.get("exhaustive"):
                    yield ((f"{container}.planted", container),)
        case "forbidden":
            yield from ((edge,) for edge in product(contract["source_modules"], contract["forbidden_modules"]) if edge[0] != edge[1])
        case "independence":
            yield from ((edge,) for edge in combinations(contract["modules"], 2))
        case "acyclic_siblings":
            for ancestor in contract["ancestors"]:
                one, other, *_ = sorted(tree().find_children(ancestor))
                yield ((one, other), (other, one))


def _names(layer: str, container: str) -> list[str]:
    """The modules of a layer; a layer that not every container has is in parentheses."""
    return [f"{container}.{name}" if container else name for name in layer.replace("(", "").replace(")", "").split(" | ")]


def _upward(layers: list[list[str]]) -> Iterator[Plant]:
    """An arrow from each module to each of the layer above, and to each of its own layer."""
    for higher, lower in pairwise(layers):
        yield from ((edge,) for edge in product(lower, higher))
    for layer in layers:
        yield from ((edge,) for edge in combinations(layer, 2))


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["name"])
def test_a_contract_holds_and_breaks_for_everything_that_it_forbids(contract: dict[str, Any]) -> None:
    assert holds(contract)
    planted = list(plants(contract))
    assert planted, f"nothing is planted for a contract of type {contract['type']}"
    assert [plant for plant in planted if holds(contract, plant)] == []


def test_contracts_have_names_of_their_own() -> None:
    assert len({contract["name"] for contract in CONTRACTS}) == len(CONTRACTS)


@pytest.mark.parametrize("package", ["weighbridge.policies", "weighbridge.webhook"])
def test_every_room_has_its_place_in_the_order(package: str) -> None:
    (order,) = (contract for contract in CONTRACTS if contract["type"] == "layers" and contract.get("containers") == [package])
    assert order["exhaustive"]


def test_every_family_keeps_the_order_of_the_rooms() -> None:
    (order,) = (contract for contract in CONTRACTS if contract["name"] == "The rooms of a family build on each other in one order")
    families = [f"weighbridge.policies.families.{name}" for name in sorted(family_names())]
    lacking = ", ".join(family for family in families if family not in order["containers"])
    assert not lacking, f'pyproject.toml: add {lacking} to `containers` of the contract "{order["name"]}"'
    gone = ", ".join(name for name in order["containers"] if name not in families)
    assert not gone, f'pyproject.toml: remove {gone} from `containers` of the contract "{order["name"]}"; no such family is there'
    assert order["containers"] == families, f'pyproject.toml: sort `containers` of the contract "{order["name"]}" by name'
