"""The tables of engines' flags have each name once, and all flags that families ask for."""

from __future__ import annotations

from collections import Counter

import pytest

from weighbridge.policies.families.serving_engines.engines import TABLES, published_engine, started_by
from weighbridge.policies.families.serving_engines.flags import FlagTable, Style

ALL = pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))


@ALL
def test_a_name_belongs_to_one_flag(table: FlagTable) -> None:
    flags = {id(flag): flag for flag in table.by_name.values()}
    names = Counter(name for flag in flags.values() for name in flag.names)
    assert [name for name, count in names.items() if count > 1] == []
    assert len(flags) == len(list(table.flags))


@ALL
def test_what_is_asked_for_by_its_meaning_is_there(table: FlagTable) -> None:
    assert [meaning for meaning in table.meanings if table.named(meaning) is None] == []


@ALL
def test_older_flags_are_gone(table: FlagTable) -> None:
    assert sorted(name for name in table.older if name in table.by_name) == []


@pytest.mark.parametrize(
    ("words", "name", "names", "values", "all_count"),
    [
        ("-c|--ctx-size=", "--ctx-size", {"-c", "--ctx-size"}, (1, 1), False),
        ("--[no-]mmap", "--mmap", {"--mmap", "--no-mmap"}, (0, 0), False),
        ("--slots|!--without-slots", "--slots", {"--slots", "--without-slots"}, (0, 0), False),
        ("--range=2", "--range", {"--range"}, (2, 2), False),
        ("--log=?", "--log", {"--log"}, (0, 1), False),
        ("--lora=&", "--lora", {"--lora"}, (1, 1), True),
    ],
)
def test_the_notation_is_read(words: str, name: str, names: set[str], values: tuple[int, int], all_count: bool) -> None:
    flag = FlagTable("engine", "1", Style.CLAP, [words]).by_name[name]
    assert (flag.name, set(flag.names), (flag.least, flag.most), flag.all_count) == (name, names, values, all_count)


def test_what_is_no_notation_is_an_error() -> None:
    with pytest.raises(ValueError, match="not a flag of a table: --x=9"):
        _ = FlagTable("engine", "1", Style.CLAP, ["--x=9"]).by_name


@pytest.mark.parametrize(
    ("image", "engine"),
    [
        ("vllm/vllm-openai", "vLLM"),
        ("docker.io/vllm/vllm-openai:v0.25.1", "vLLM"),
        ("registry.example.com:5000/mirror/vllm/vllm-openai:v0.25.1@sha256:00", "vLLM"),
        ("ghcr.io/ggml-org/llama.cpp:server-cuda-b10068", "llama.cpp"),
        ("ghcr.io/ggml-org/llama.cpp-extras:server", ""),
        ("vllm-openai:v1", ""),
        ("", ""),
    ],
)
def test_images_are_known_by_the_names_that_projects_publish(image: str, engine: str) -> None:
    assert published_engine(image) == engine


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (["vllm", "serve"], ("vLLM", 2)),
        (["/opt/venv/bin/python3", "-m", "sglang.launch_server", "--tp", "2"], ("SGLang", 3)),
        (["/app/llama-server"], ("llama.cpp", 1)),
        (["text-generation-launcher"], ("TGI", 1)),
        (["sh", "-c"], ("", 0)),
        (["vllm"], ("", 0)),
        ([], ("", 0)),
    ],
)
def test_an_engine_is_known_by_its_command(command: list[str], found: tuple[str, int]) -> None:
    assert started_by(command) == found
