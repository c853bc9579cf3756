"""How each word of an engine's command line is read, by its place: as a flag, a value, a word, or a problem."""

from __future__ import annotations

import pytest

from weighbridge.policies.families.serving_engines.command_line import GivenFlag, Problem, Trouble, read
from weighbridge.policies.families.serving_engines.engines import TABLES, published_engine, started_by
from weighbridge.policies.families.serving_engines.flags import FlagTable, Style
from weighbridge.policies.families.serving_engines.parallelism import parallel_sizes

LLAMA, VLLM, SGLANG, TGI = (TABLES[name] for name in ("llama.cpp", "vLLM", "SGLang", "TGI"))
#: A table with a flag for each way to take values.
WORDS = "--off --[no-]on -a|--one= --two=2 --maybe=? --some=+ --any=* --each=& -v|!--quiet|--verbose"
TABLES_OF_STYLES = {style: FlagTable("Engine", "1", style, WORDS.split(), first_word="model") for style in Style}


def places(table: FlagTable, *args: str) -> list[tuple[int, str, tuple[str, ...]]]:
    return [(given.at, given.written, given.values) for given in read(table, args).given]


def problems(table: FlagTable, *args: str) -> list[Problem]:
    return read(table, args).problems


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize(
    ("args", "found"),
    [
        (["m", "--off", "--one", "1"], [(1, "--off", ()), (2, "--one", ("1",))]),
        (["m", "--two", "1", "2", "--off"], [(1, "--two", ("1", "2")), (4, "--off", ())]),
        (["m", "--on", "--no-on", "-a", "x"], [(1, "--on", ()), (2, "--no-on", ()), (3, "-a", ("x",))]),
        (["m", "--maybe", "--off"], [(1, "--maybe", ()), (2, "--off", ())]),
        (["m", "--maybe", "1", "--off"], [(1, "--maybe", ("1",)), (3, "--off", ())]),
        (["m", "--some", "1", "2", "3", "--off"], [(1, "--some", ("1", "2", "3")), (5, "--off", ())]),
        (["m", "--any", "--off"], [(1, "--any", ()), (2, "--off", ())]),
        (["m", "--each", "1", "--each", "2"], [(1, "--each", ("1",)), (3, "--each", ("2",))]),
        (["m", "--quiet", "-v"], [(1, "--quiet", ()), (2, "-v", ())]),
    ],
)
def test_a_flag_takes_as_many_words_as_its_table_says(style: Style, args: list[str], found: list[tuple[int, str, tuple[str, ...]]]) -> None:
    assert places(TABLES_OF_STYLES[style], *args) == found
    assert problems(TABLES_OF_STYLES[style], *args) == []
    assert read(TABLES_OF_STYLES[style], args).words == [(0, "m")]


@pytest.mark.parametrize(
    ("style", "args", "found"),
    [
        (Style.LLAMA_CPP, ["--one", "-5"], [(0, "--one", ("-5",))]),
        (Style.LLAMA_CPP, ["--one", "-x"], [(0, "--one", ("-x",))]),
        (Style.LLAMA_CPP, ["--one", "-a", "1"], [(1, "-a", ("1",))]),
        (Style.ARGPARSE, ["--one", "-5"], [(0, "--one", ("-5",))]),
        (Style.ARGPARSE, ["--one", "-.5"], [(0, "--one", ("-.5",))]),
        (Style.ARGPARSE, ["--one", "-"], [(0, "--one", ("-",))]),
        (Style.ARGPARSE, ["--one", "-x"], []),
        (Style.ARGPARSE, ["--one=-x"], [(0, "--one", ("-x",))]),
        (Style.ARGPARSE, ["--one="], [(0, "--one", ("",))]),
        (Style.ARGPARSE, ["--mayb", "1"], [(0, "--maybe", ("1",))]),
        (Style.ARGPARSE, ["--o", "1"], []),
        (Style.CLAP, ["--mayb", "1"], []),
        (Style.CLAP, ["--one=1"], [(0, "--one", ("1",))]),
        (Style.LLAMA_CPP, ["--one=1"], []),
        (Style.ARGPARSE, ["--one.part", "1"], [(0, "--one", ("1",))]),
    ],
)
def test_each_parser_has_its_own_idea_of_a_value(style: Style, args: list[str], found: list[tuple[int, str, tuple[str, ...]]]) -> None:
    assert places(TABLES_OF_STYLES[style], *args) == found


@pytest.mark.parametrize(
    ("table", "args", "found"),
    [
        (LLAMA, ["--bogus", "4096", "a=b"], [Problem(Trouble.UNKNOWN, "--bogus", 0), Problem(Trouble.UNKNOWN, "a=b", 2)]),
        (LLAMA, ["--bogus", "4096", "a b"], [Problem(Trouble.UNKNOWN, "--bogus", 0), Problem(Trouble.UNKNOWN, "a b", 2)]),
        (LLAMA, ["--bogus=1", "4096"], [Problem(Trouble.UNKNOWN, "--bogus=1", 0), Problem(Trouble.UNKNOWN, "4096", 1)]),
        (LLAMA, ["--bogus 1", "4096"], [Problem(Trouble.UNKNOWN, "--bogus 1", 0), Problem(Trouble.UNKNOWN, "4096", 1)]),
        (LLAMA, ["--bogus", "--port", "80"], [Problem(Trouble.UNKNOWN, "--bogus", 0)]),
        (LLAMA, ["--bogus"], [Problem(Trouble.UNKNOWN, "--bogus", 0)]),
        (LLAMA, ["--port", "80", "--ctx-size"], [Problem(Trouble.NO_VALUE, "--ctx-size", 2)]),
        (
            LLAMA,
            ["--port 80", "--ctx-size=1"],
            [Problem(Trouble.SPACED, "--port 80", 0, "--port"), Problem(Trouble.JOINED, "--ctx-size=1", 1, "--ctx-size")],
        ),
        (VLLM, ["m", "--bogus", "4096"], [Problem(Trouble.UNKNOWN, "--bogus", 1)]),
        (VLLM, ["m", "n", "--port", "80", "o"], [Problem(Trouble.STRAY, "n", 1), Problem(Trouble.STRAY, "o", 4)]),
        (
            VLLM,
            ["--headless=true", "--port"],
            [Problem(Trouble.NOT_TAKEN, "--headless=true", 0, "--headless"), Problem(Trouble.NO_VALUE, "--port", 1)],
        ),
        (SGLANG, ["m"], [Problem(Trouble.STRAY, "m", 0)]),
        (TGI, ["--port=80", "x"], [Problem(Trouble.STRAY, "x", 1)]),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(table: FlagTable, args: list[str], found: list[Problem]) -> None:
    assert problems(table, *args) == found


@pytest.mark.parametrize(
    ("args", "number"),
    [
        (["--port", "+80"], 80),
        (["--port", "-80"], -80),
        (["--port", "9" * 18], int("9" * 18)),
        (["--port", "9" * 19], None),
        (["--port", "8 0"], None),
    ],
)
def test_a_number_has_at_most_eighteen_digits(args: list[str], number: int | None) -> None:
    assert read(LLAMA, args).number("port") == number


def test_a_switch_has_the_value_of_how_it_is_written() -> None:
    line = read(TABLES_OF_STYLES[Style.ARGPARSE], ["m", "--on", "--no-on", "--quiet", "--two", "1", "2"])
    assert [given.value for given in line.given] == ["true", "false", "false", "1 2"]


def test_flags_that_all_count_override_nothing() -> None:
    line = read(TABLES_OF_STYLES[Style.ARGPARSE], ["m", "--each", "1", "--one", "1", "--each", "2", "-a", "2", "-a", "3"])
    pairs: list[tuple[GivenFlag, GivenFlag]] = list(line.overridden())
    assert [(lost.at, last.at) for lost, last in pairs] == [(3, 9), (7, 9)]


@pytest.mark.parametrize("word", ["=", "--x=z", "--x==", ""])
def test_a_word_of_no_form_is_no_flag(word: str) -> None:
    table = FlagTable("Engine", "1", Style.CLAP, f"--ok {word}".split())
    if word:
        with pytest.raises(ValueError, match=f"not a flag of a table: {word}"):
            table.find("--ok")
    else:
        assert table.find("--ok") is not None


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (["llama-server"], ("llama.cpp", 1)),
        (["/app/llama-server", "-c", "1"], ("llama.cpp", 1)),
        (["vllm", "serve", "m"], ("vLLM", 2)),
        (["vllm", "bench"], ("", 0)),
        (["python3", "-m", "vllm.entrypoints.openai.api_server"], ("vLLM", 3)),
        (["/usr/bin/python", "-m", "sglang.launch_server"], ("SGLang", 3)),
        (["sglang", "serve"], ("SGLang", 2)),
        (["text-generation-launcher"], ("TGI", 1)),
        (["sh", "-c", "llama-server"], ("", 0)),
        ([], ("", 0)),
    ],
)
def test_a_command_tells_which_engine_it_starts(command: list[str], found: tuple[str, int]) -> None:
    assert started_by(command) == found


@pytest.mark.parametrize(
    ("image", "engine"),
    [
        ("vllm/vllm-openai:v0.25.1", "vLLM"),
        ("mirror.example.com/team/vllm/vllm-openai-rocm", "vLLM"),
        ("ghcr.io/ggml-org/llama.cpp:server", "llama.cpp"),
        ("lmsysorg/sglang@sha256:00", "SGLang"),
        ("vllm-openai", ""),
        ("own/image:1", ""),
    ],
)
def test_a_published_image_tells_its_engine(image: str, engine: str) -> None:
    assert published_engine(image) == engine


@pytest.mark.parametrize(
    ("table", "args", "found"),
    [
        (VLLM, ["m", "-tp", "2", "-pp", "3", "--data-parallel-size", "4"], (24, "-tp 2 with -pp 3 with --data-parallel-size 4", 5)),
        (VLLM, ["m", "-pp", "3", "-tp", "2"], (6, "-tp 2 with -pp 3", 3)),
        (VLLM, ["m", "-tp", "1"], (1, "-tp 1", 1)),
        (VLLM, ["m", "-tp", "0"], None),
        (VLLM, ["m", "-tp", "2", "--headless"], None),
        (SGLANG, ["--dp-size", "2", "--tp", "3"], (6, "--tp-size 3 with --dp-size 2", 2)),
        (SGLANG, ["--dp-size", "2", "--enable-dp-attention"], None),
    ],
)
def test_the_sizes_are_told_with_the_last_of_them(table: FlagTable, args: list[str], found: tuple[int, str, int] | None) -> None:
    sizes = parallel_sizes(read(table, args))
    assert (None if sizes is None else (sizes.gpus, sizes.words, sizes.last.at)) == found
