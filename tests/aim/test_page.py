"""The page with examples shows the commands' output, and that output agrees with how the operators merge two configs."""

from __future__ import annotations

import re

import pytest

from tests.command_line import run
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "aim.md").read_text()
SHOWN = re.findall(r"```\n\$ weighbridge ([^\n]+)\n(.*?)```", PAGE, re.DOTALL)
OUTPUT = {arguments.split()[1].rpartition("/")[2].removesuffix(".yaml"): output for arguments, output in SHOWN}


@pytest.mark.parametrize(("arguments", "output"), SHOWN, ids=list(OUTPUT))
def test_the_output_on_the_page_is_what_the_command_prints(arguments: str, output: str) -> None:
    assert run(*arguments.split(), cwd=ROOT).stdout == output


def rows(name: str) -> tuple[list[list[str]], list[list[str]]]:
    """The words of each line, for the object of the new group, then for the one of the old group."""
    new, old = re.split(r"^AIM\w+ serving/.*$", OUTPUT[name], flags=re.MULTILINE)[1:]
    return [line.split() for line in new.splitlines()], [line.split() for line in old.splitlines()]


def has(lines: list[list[str]], *words: str) -> bool:
    """Whether some line begins with these words."""
    return any(line[: len(words)] == list(words) for line in lines)


@pytest.mark.parametrize(
    ("name", "new", "old"),
    [
        ("both-route", ("routing.requestTimeout", '"60s"', "cluster"), ("routing.requestTimeout", '"60s"', "cluster", "nothing")),
        ("both-route", ("routing.annotations.b", '"2"', "namespace"), ("routing.annotations.b", '"2"', "namespace", "nothing")),
        ("no-headroom", ("storage.pvcHeadroomPercent", "20", "cluster"), ("pvcHeadroomPercent", "0", "namespace")),
        ("switched-off", ("routing.enabled", "true", "cluster"), ("routing.enabled", "false", "namespace")),
        ("labels", ("model.autoDiscovery", "true", "namespace"), ("model.autoDiscovery", "false", "cluster")),
        ("labels", ("labelPropagation.enabled", "true", "cluster"), ("labelPropagation.enabled", "true", "cluster")),
        ("own-gateway", ("routing.gatewayRef.name", '"g2"', "namespace"), ("routing.gatewayRef.name", '"g2"', "namespace")),
        ("of-the-cluster", ("routing.gatewayRef.name", '"g1"', "cluster"), ("routing.gatewayRef.name", '"g1"', "cluster")),
        ("missing-config", ("it", "fails:", "runtime", "config"), ("it", "fails:", "runtime", "config")),
    ],
)
def test_each_example_comes_out_as_its_operator_has_it(name: str, new: tuple[str, ...], old: tuple[str, ...]) -> None:
    of_new, of_old = rows(name)
    assert has(of_new, *new)
    assert has(of_old, *old)


def test_a_gateway_is_mixed_by_one_operator_alone() -> None:
    new, old = rows("gateway")
    assert has(new, "routing.gatewayRef.port", "80", "cluster")
    assert has(new, "routing.gatewayRef.name", '"inner"', "namespace")
    assert has(old, "routing.gatewayRef.name", '"inner"', "namespace")
    assert not has(old, "routing.gatewayRef.port")
