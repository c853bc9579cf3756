"""No modules import each other in a circle, not even inside functions or only for types."""

from __future__ import annotations

from pathlib import Path

from tests.architecture.imports import circles, import_graph, modules, project_graph


def test_there_is_no_circle() -> None:
    assert circles(project_graph()) == []


def test_a_circle_is_found_though_one_of_its_imports_is_inside_a_function(tmp_path: Path) -> None:
    planted = tmp_path / "policies"
    planted.mkdir()
    (planted / "__init__.py").write_text("")
    (planted / "first.py").write_text("from weighbridge.policies.second import value\n")
    (planted / "second.py").write_text("from weighbridge.policies import third\n")
    (planted / "third.py").write_text("def late():\n    from weighbridge.policies.first import value\n    return value\n")
    (planted / "aside.py").write_text("import weighbridge.policies.first\n")
    found = circles(import_graph(modules(tmp_path)))
    assert found == [["weighbridge.policies.first", "weighbridge.policies.second", "weighbridge.policies.third"]]


def test_an_import_for_types_alone_closes_a_circle_too(tmp_path: Path) -> None:
    planted = tmp_path / "policies"
    planted.mkdir()
    (planted / "first.py").write_text("from weighbridge.policies import second\n")
    (planted / "second.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from weighbridge.policies.first import Thing\n"
        "else:\n    import weighbridge.policies.third\n"
    )
    (planted / "third.py").write_text("")
    graph = import_graph(modules(tmp_path))
    assert circles(graph) == [["weighbridge.policies.first", "weighbridge.policies.second"]]
    assert "weighbridge.policies.third" in graph["weighbridge.policies.second"]


def test_every_module_is_looked_at() -> None:
    graph = project_graph()
    assert {
        "weighbridge.policies.verdict.engine",
        "weighbridge.webhook.cli.main",
        "weighbridge.certs.pair",
        "weighbridge.policies.families",
    } <= graph.keys()
    assert "weighbridge.policies.families" in graph["weighbridge.policies.verdict.engine"]
