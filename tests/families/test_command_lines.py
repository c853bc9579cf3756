"""How engines read their command lines; those that Python's argparse reads are compared with argparse."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.policies.families.serving_engines.command_line import Trouble, read
from weighbridge.policies.families.serving_engines.engines import TABLES
from weighbridge.policies.families.serving_engines.flags import MANY, Flag, FlagTable
from weighbridge.policies.families.serving_engines.parallelism import parallel_sizes

LLAMA, VLLM, SGLANG, TGI = (TABLES[name] for name in ("llama.cpp", "vLLM", "SGLang", "TGI"))
VALUES = ["4096", "-1", "-0.5", "a", "/models/m.gguf", "none", "", "x=y"]


def settings(table: FlagTable, *args: str) -> dict[str, str]:
    """The settings that count, by the names of their flags."""
    return {found.flag.name: found.value for found in read(table, args).given}


def troubles(table: FlagTable, *args: str) -> list[tuple[Trouble, str, str]]:
    """The words that can't be read: the kind of problem, the word, and the flag that may be meant."""
    return [(problem.trouble, problem.word, problem.nearest) for problem in read(table, args).problems]


@pytest.mark.parametrize(
    ("table", "args", "found"),
    [
        (LLAMA, ["-c", "4096", "--ctx_size", "8192"], {"--ctx-size": "8192"}),
        (LLAMA, ["-ngl", "0", "--no-mmap", "--mmap"], {"--n-gpu-layers": "0", "--mmap": "true"}),
        (LLAMA, ["-nkvo"], {"--kv-offload": "false"}),
        (LLAMA, ["--reasoning-budget", "-1"], {"--reasoning-budget": "-1"}),
        (LLAMA, ["--control-vector-layer-range", "1", "4"], {"--control-vector-layer-range": "1 4"}),
        (LLAMA, ["--flash-attn", "on"], {"--flash-attn": "on"}),
        (VLLM, ["m", "--max_model_len=8k", "-tp=2"], {"--max-model-len": "8k", "--tensor-parallel-size": "2"}),
        (VLLM, ["m", "--no-enable-prefix-caching"], {"--enable-prefix-caching": "false"}),
        (VLLM, ["m", "--speculative-config.model", "org/draft"], {"--speculative-config": "org/draft"}),
        (
            VLLM,
            ["m", "-O3", "-cc.mode=3", "-ac.backend", "X"],
            {"--optimization-level": "3", "--compilation-config": "3", "--attention-config": "X"},
        ),
        (VLLM, ["m", "-O", "2", "--eplb_config.window_size", "8"], {"--optimization-level": "2", "--eplb-config": "8"}),
        (VLLM, ["m", "--served-model-name", "a", "b", "--port", "80"], {"--served-model-name": "a b", "--port": "80"}),
        (SGLANG, ["--tp", "2", "--context-len", "4096"], {"--tensor-parallel-size": "2", "--context-length": "4096"}),
        (TGI, ["-p", "80", "--num-shard=2"], {"--port": "80", "--num-shard": "2"}),
    ],
)
def test_a_command_line_is_read_as_the_engine_reads_it(table: FlagTable, args: list[str], found: dict[str, str]) -> None:
    assert settings(table, *args) == found
    assert troubles(table, *args) == []


@pytest.mark.parametrize(
    ("table", "args", "found"),
    [
        (LLAMA, ["--ctx-size=4096"], [(Trouble.JOINED, "--ctx-size=4096", "--ctx-size")]),
        (LLAMA, ["--ctx-size 4096"], [(Trouble.SPACED, "--ctx-size 4096", "--ctx-size")]),
        (LLAMA, ["--context-size", "4096", "--port", "80"], [(Trouble.UNKNOWN, "--context-size", "--ctx-size")]),
        (LLAMA, ["--port"], [(Trouble.NO_VALUE, "--port", "")]),
        (LLAMA, ["--port", "--metrics"], [(Trouble.NO_VALUE, "--port", "")]),
        (LLAMA, ["model.gguf"], [(Trouble.UNKNOWN, "model.gguf", "")]),
        (VLLM, ["m", "--port", "--headless"], [(Trouble.NO_VALUE, "--port", "")]),
        (VLLM, ["m", "--headless=true"], [(Trouble.NOT_TAKEN, "--headless=true", "--headless")]),
        (VLLM, ["m", "other"], [(Trouble.STRAY, "other", "")]),
        (VLLM, ["m", "--data-parallel", "2"], [(Trouble.UNKNOWN, "--data-parallel", "--data-parallel-size")]),
        (SGLANG, ["--context_length", "4096"], [(Trouble.UNKNOWN, "--context_length", "--context-length")]),
        (TGI, ["--num_shard", "2"], [(Trouble.UNKNOWN, "--num_shard", "--num-shard")]),
    ],
)
def test_what_the_engine_stops_at_is_told(table: FlagTable, args: list[str], found: list[tuple[Trouble, str, str]]) -> None:
    assert troubles(table, *args) == found


def test_the_last_of_several_counts_unless_all_do() -> None:
    line = read(LLAMA, ["-np", "1", "--lora", "a", "--parallel", "2", "--lora", "b"])
    assert [(lost.value, last.value) for lost, last in line.overridden()] == [("1", "2")]
    assert [found.value for found in line.all_of(LLAMA.by_name["--lora"])] == ["a", "b"]
    assert line.number("slots") == 2


@pytest.mark.parametrize(
    ("args", "pairs"),
    [
        (["--speculative-config.method", "ngram", "--speculative-config.num_speculative_tokens", "3"], []),
        (["-cc.sizes+", "1", "-cc.sizes+=2"], []),
        (["-cc.mode=1", "-cc.level=2", "-cc.mode=3"], [("-cc.mode", "3")]),
        (["-cc.mode=1", "--compilation-config.level=2"], [("-cc.mode", "2")]),
        (["--speculative-config.method", "ngram", "--speculative-config", "{}"], [("--speculative-config", "ngram")]),
    ],
)
def test_parts_of_one_json_count_together(args: list[str], pairs: list[tuple[str, str]]) -> None:
    """vLLM puts the JSON of the parts behind all other arguments, a JSON for each way to write the flag."""
    assert [(lost.name, last.value) for lost, last in read(VLLM, args).overridden()] == pairs


def test_only_a_whole_number_is_a_number() -> None:
    assert read(LLAMA, ["--port", "$(PORT)"]).number("port") is None
    assert read(LLAMA, ["-ngl", "all"]).number("gpu layers") is None
    assert read(LLAMA, []).number("port") is None


@pytest.mark.parametrize(
    ("table", "args", "gpus"),
    [
        (VLLM, ["m", "-tp", "2", "-pp", "2"], 4),
        (VLLM, ["m", "-tp", "2", "--data-parallel-size", "2"], 4),
        (VLLM, ["m", "-tp", "8", "--nnodes", "2"], None),
        (VLLM, ["m", "-tp", "two"], None),
        (VLLM, ["m"], None),
        (SGLANG, ["--tp", "2", "--dp-size", "2"], 4),
        (SGLANG, ["--tp", "2", "--dp-size", "2", "--enable-dp-attention"], 2),
        (TGI, ["--num-shard", "2"], 2),
    ],
)
def test_the_gpus_that_an_engine_looks_for_are_counted(table: FlagTable, args: list[str], gpus: int | None) -> None:
    sizes = parallel_sizes(read(table, args))
    assert (sizes.gpus if sizes is not None else None) == gpus


class RefusedError(Exception):
    """Raised when argparse stops."""


class Parser(argparse.ArgumentParser):
    """argparse without an exit."""

    def error(self, message: str) -> NoReturn:
        raise RefusedError(message)


def argparse_of(table: FlagTable) -> Parser:
    """A parser of argparse with the table's flags."""
    parser = Parser(add_help=False)
    if table.first_word:
        parser.add_argument("first", nargs="?")
    for flag in {id(flag): flag for flag in table.by_name.values()}.values():
        own = [name for name in flag.names if name not in flag.opposites]
        if flag.is_switch:
            parser.add_argument(*own, dest=flag.name, action="store_const", const="true")
            for opposite in flag.opposites:
                parser.add_argument(opposite, dest=flag.name, action="store_const", const="false")
        else:
            parser.add_argument(*own, dest=flag.name, **_values(flag))
    return parser


def _values(flag: Flag) -> dict[str, Any]:
    if flag.most == MANY:
        return {"nargs": "+" if flag.least else "*"}
    if flag.least == 0:
        return {"nargs": "?", "const": "true"}
    return {"action": "append", "nargs": None} if flag.all_count else {}


def by_argparse(parser: Parser, args: Sequence[str]) -> dict[str, str] | None:
    """The values that argparse reads; `None` if it stops."""
    try:
        found = vars(parser.parse_args(list(args)))
    except RefusedError:
        return None
    found.pop("first", None)
    return {name: " ".join(value) if isinstance(value, list) else str(value) for name, value in found.items() if value is not None}


PARSERS = {table.engine: argparse_of(table) for table in (VLLM, SGLANG)}


@st.composite
def lines(draw: st.DrawFn, table: FlagTable) -> list[str]:
    """Command lines of known flags, their beginnings, unknown ones and values."""
    names = st.sampled_from(sorted(name for name, flag in table.by_name.items() if not flag.all_count))
    longs = names.filter(lambda name: name.startswith("--") and len(name) > 8)
    begun = st.builds(lambda name, size: name[: max(4, size)], longs, st.integers(4, 30))
    values = st.sampled_from(VALUES)
    word = st.one_of(names, names, begun, values, st.builds("{}={}".format, longs, values), st.just("--no-such-flag"))
    return ["org/model"] * bool(table.first_word) + draw(st.lists(word, max_size=6))


@pytest.mark.parametrize("table", [VLLM, SGLANG], ids=["vLLM", "SGLang"])
@given(data=st.data())
def test_argparse_reads_the_same(table: FlagTable, data: st.DataObject) -> None:
    args = data.draw(lines(table))
    line = read(table, args)
    expected = by_argparse(PARSERS[table.engine], args)
    assert (expected is None) == bool(line.problems), (args, line.problems)
    if expected is not None:
        ours = {found.flag.name: " ".join(found.values) if found.flag.most == MANY else found.value for found in line.given}
        assert ours == expected


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
@given(args=st.lists(st.text(max_size=12), max_size=6))
def test_any_words_can_be_read(table: FlagTable, args: list[str]) -> None:
    line = read(table, args)
    places = [found.at for found in line.given] + [at for at, _ in line.words] + [problem.at for problem in line.problems]
    assert all(0 <= place < len(args) for place in places)
