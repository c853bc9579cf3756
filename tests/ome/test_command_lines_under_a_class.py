"""Command lines as changed by a class: which of several flags gets a size, in a list of words and in one multi-line text, and how flags are
merged.
"""

from __future__ import annotations

import pytest

from weighbridge.policies.families.ome.predictions.merge.arguments import overridden
from weighbridge.policies.ground.objects import JSONObject

_TENSOR: JSONObject = {"tensorParallelismOverride": {"tensorParallelSize": 2}}
_PIPELINE: JSONObject = {"tensorParallelismOverride": {"pipelineParallelSize": 3}}


@pytest.mark.parametrize(
    ("args", "command", "expected"),
    [
        (["--tp-size", "8", "--tp=4"], [], (["--tp-size", "2", "--tp=4"], [])),
        (["--tp=4", "--tensor-parallel-size=8"], [], (["--tp=2", "--tensor-parallel-size=8"], [])),
        (["--tensor-parallel-size", "8"], ["--tp", "4"], (["--tensor-parallel-size", "2"], ["--tp", "4"])),
        (["--x"], ["run", "--tp", "4", "--tp", "5"], (["--x"], ["run", "--tp", "2", "--tp", "5"])),
        (["--tp"], ["--tp=4"], (["--tp"], ["--tp=2"])),
        (["--tps=4"], [], (["--tps=4"], [])),
        (["run \\\n--tp-size 8 \\\n--tp 4 \\\n--tp-size=9"], [], (["run \\\n--tp-size=2 \\\n--tp 4 \\\n--tp-size=2"], [])),
        (["run \\\n--tp 4"], ["--tp", "4"], (["run \\\n--tp=2"], ["--tp", "4"])),
        (["run \\\n--tp x"], ["--tp", "4"], (["run \\\n--tp x"], ["--tp", "2"])),
        ([], ["run \\\n--tp 4"], ([], ["run \\\n--tp 4"])),
    ],
)
def test_the_first_flag_that_is_there_gets_the_size(args: list[str], command: list[str], expected: tuple[list[str], list[str]]) -> None:
    found = overridden({"args": args, "command": command}, _TENSOR)
    assert (found["args"], found["command"]) == expected


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--pp-size", "8", "--pp=4"], ["--pp-size", "3", "--pp=4"]),
        (["--pp=4", "--tp", "8"], ["--pp=3", "--tp", "8"]),
        (["--pipeline-parallel-size=8"], ["--pipeline-parallel-size=3"]),
        (["--pp-size"], ["--pp-size"]),
    ],
)
def test_the_pipeline_s_size_has_flags_of_its_own(args: list[str], expected: list[str]) -> None:
    assert overridden({"args": args}, _PIPELINE) == {"args": expected}


@pytest.mark.parametrize(
    ("base", "over", "expected"),
    [
        ([], ["--a 1"], ["--a 1"]),
        (["--a", "1"], [], ["--a", "1"]),
        (["--a", "1", "--b"], ["--a", "2"], ["--a", "2", "--b"]),
        (["--a=1"], ["--a", "2"], ["--a", "2"]),
        (["--a", "1"], ["--a=2"], ["--a=2"]),
        (["--a 1"], ["--a 2"], ["--a 2"]),
        (["--a=1", "x"], ["--b"], ["--a=1", "x", "--b"]),
        (["  --a  ", "", "1"], ["--b"], ["--a", "1", "--b"]),
        (["run", "me", "--a"], ["run", "you"], ["run", "you", "--a"]),
        (["--a \\\n--b 2 \\\n"], ["--c"], ["--a \\\n--b 2 \\\n--c"]),
        (["--a"], ["--b 2 \\\n--c"], ["--a", "--b 2", "--c"]),
    ],
)
def test_flags_are_merged_in_the_form_of_the_container(base: list[str], over: list[str], expected: list[str]) -> None:
    assert overridden({"args": base, "image": "a:1"}, {"runtimeArgsOverride": over}) == {"args": expected, "image": "a:1"}


def test_variables_come_in_the_order_of_their_names() -> None:
    found = overridden({"env": [{"name": "B", "value": "1"}]}, {"environmentOverride": {"C": "3", "B": "2", "A": "1"}})
    assert found == {"env": [{"name": "B", "value": "2"}, {"name": "A", "value": "1"}, {"name": "C", "value": "3"}]}
