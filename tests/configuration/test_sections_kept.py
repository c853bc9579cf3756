"""Limits on what is kept of the ConfigMaps of namespaces. Their authors must not be able to fill the memory, nor to hide the notes of other
namespaces.
"""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Callable

import pytest

from tests.configuration.objects import MODEL, config_map
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cluster.labelled_config_maps import slim
from weighbridge.webhook.configuration.namespace_configuration import troubles, with_config_maps
from weighbridge.webhook.configuration.section_config_maps import MOST_BYTES, MOST_IN_NAMESPACE, MOST_VALUES
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.server.publisher import Publisher
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings


def aliased(number: int) -> str:
    """A text that aliases make a hundred times as large."""
    return f"v{number}: &a [{', '.join(['x'] * 100)}]\n" + "".join(f"k{index}: *a\n" for index in range(2_000))


def many_keys(number: int) -> str:
    """As many mistakes as the text can have."""
    return f"v{number}: x\n" + "".join(f"k{index}: 1\n" for index in range(MOST_VALUES // 2 - 10))


def one_long_key(number: int) -> str:
    """A mistake that is as long as the text."""
    return f"v{number}{'x' * 30_000}: 1\n"


def nested(number: int) -> str:
    """A mistake at a long path."""
    return f"v{number}: {'[' * 900}1{']' * 900}\n"


def as_json(number: int) -> str:
    """The section as JSON."""
    return f'{{"v{number}": [{", ".join(["1"] * 9_000)}]}}'


@pytest.mark.parametrize("text", [aliased, many_keys, one_long_key, nested, as_json])
def test_of_a_refused_config_map_only_the_first_mistake_is_kept_however_often_it_is_written(text: Callable[[int], str]) -> None:
    publisher = Publisher(Service(ServerSettings(), Facts(Definitions()), DEFAULT), DEFAULT)

    def written(numbers: range) -> int:
        for number in numbers:
            publisher.put_config_map(slim(config_map(text(number))))
            config = publisher._assembled(DEFAULT)
        assert len(config.notes["team-a"][0]) < 400
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        begin = written(range(2))
        grown = written(range(2, 8)) - begin
        publisher.discard_config_map("team-a", "weighbridge")
        publisher._assembled(DEFAULT)
        gc.collect()
        left = tracemalloc.get_traced_memory()[0] - begin
    finally:
        tracemalloc.stop()
    assert grown < 2 * MOST_BYTES
    assert left < MOST_BYTES


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "rules: &r {LLMKUBE-001: deny}\nimages: {pins: *r}\n",
            "configuration.yaml:2:16: an alias, '*r', isn't taken here; write out what",
        ),
        ("rules:\n  <<: *r\n", "an alias, '*r', isn't taken here"),
        (f"images: [{'1, ' * MOST_VALUES}]", f"more than {MOST_VALUES} values; divide it"),
        (f'{{"images": [{"1, " * MOST_VALUES}1]}}', f"more than {MOST_VALUES} values; divide it"),
    ],
)
def test_a_section_has_no_aliases_and_so_many_values(text: str, reason: str) -> None:
    config = with_config_maps(parse({}), [config_map(text)])
    assert reason in config.notes["team-a"][0]
    assert config.brought == ()


def test_values_are_counted_in_yaml_and_in_json_alike() -> None:
    pins = {f"ghcr.io/a/b{index}": "v[1,{:" for index in range(MOST_VALUES // 2 - 20)}
    for text in (
        json.dumps({"images": {"pins": pins}}),
        "images:\n  pins:\n" + "".join(f"    {key}: '{pin}'\n" for key, pin in pins.items()),
    ):
        assert "more than" not in with_config_maps(parse({}), [config_map(text)]).notes["team-a"][0]


def test_one_of_many_refused_config_maps_is_told_and_the_other_warnings_stay() -> None:
    maps = [config_map("references: off", name=f"m{index:02}") for index in range(30)]
    config = with_config_maps(parse({}), maps)
    obj = {"apiVersion": MODEL.api_version, "kind": "Model", "metadata": {"name": "m"}, "spec": {"source": "https://x/m.gguf"}}
    facts = load_facts([])
    judged = Request("u", Operation.CREATE, MODEL, obj, namespace="team-a", name="m")
    with_notes, without = (decide(judged, facts, standing).warnings for standing in (config, parse({})))
    first, more = (warning for warning in with_notes if warning not in without)
    assert first.startswith("ConfigMap team-a/m00 is not used: configuration.yaml:1:13: references: is warn cluster-wide")
    assert more == "29 more of the ConfigMaps of namespace team-a are not used"
    assert set(without) <= set(with_notes)
    assert len(troubles(config)) == 6
    assert sum(map(len, config.notes.values())) == 30


def test_so_many_config_maps_of_a_namespace_are_read_and_the_others_say_so() -> None:
    maps = [config_map("references: deny", name=f"m{index:02}") for index in range(MOST_IN_NAMESPACE + 2)]
    config = with_config_maps(parse({}), [*maps, config_map("references: deny", namespace="team-b")])
    assert (len(config.sections_of("team-a")), len(config.sections_of("team-b")), list(config.notes)) == (MOST_IN_NAMESPACE, 1, ["team-a"])
    assert config.notes["team-a"][0].startswith(f"ConfigMap team-a/m{MOST_IN_NAMESPACE} is not used: only the first {MOST_IN_NAMESPACE}")


def test_a_text_that_is_too_long_is_not_kept_whole() -> None:
    kept = slim(config_map("#" * 1_000_000))
    assert len(kept["data"]["configuration.yaml"]) == MOST_BYTES + 1
    assert "larger than 32 KiB, the most that is read" in with_config_maps(parse({}), [kept]).notes["team-a"][0]
