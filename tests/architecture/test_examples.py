"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.conftest import ROOT
from tests.programs.check.reached import Tree

_TREE = Tree()
#: Sorted, since the processes of a parallel run have to agree on the order.
WITH_EXAMPLES = sorted(
    module
    for path, module in _TREE.modules.items()
    if not path.startswith("tests/") and ">>> " in (ROOT / path).read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_the_examples_of_a_module_are_true(module: str) -> None:
    done = doctest.testmod(importlib.import_module(module), optionflags=doctest.FAIL_FAST)
    assert done.attempted
    assert not done.failed


def test_there_are_examples() -> None:
    assert len(WITH_EXAMPLES) >= 5
