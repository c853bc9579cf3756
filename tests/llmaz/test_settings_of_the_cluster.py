"""The settings in the ConfigMap of the controllers, in different forms of YAML."""

from __future__ import annotations

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.llmaz.operator import CONFIG, NAMESPACE, operator_of
from weighbridge.webhook.inputs.facts import bundled_definitions


@pytest.mark.parametrize(
    ("data", "scheduler", "image"),
    [
        ("scheduler-name: s1\ninit-container-image: i/x:1\n", "s1", "i/x:1"),
        ("  scheduler-name: s1\n  init-container-image: i/x:1\n", "s1", "i/x:1"),
        ("\"scheduler-name\": 's1'\n'init-container-image': \"i/x:1\"\n", "s1", "i/x:1"),
        ("init-container-image: i/x:1#foo\n", "", "i/x:1#foo"),
        ("init-container-image: i/x:1 # the loader\n", "", "i/x:1"),
        ("init-container-image: i/x:1\n---\ninit-container-image: i/y:1\n", "", "i/x:1"),
        ("---\ninit-container-image: i/y:1\n", "", "i/y:1"),
        ("init-container-image: ~\n", "", ""),
        ("# init-container-image: i/x:1\n", "", ""),
        ("other: 1\n  init-container-image: i/x:1\n", "", ""),
        ("", "", ""),
        ("init-container-image : a b\nscheduler-name:\t-x\n", "-x", "a b"),
        ("nested:\n  scheduler-name: deep\ninit-container-image: i/x:1\n", "", "i/x:1"),
        ("init-container-image: 1.10\nscheduler-name: true\n", "true", "1.10"),
    ],
)
def test_forms(data: str, scheduler: str, image: str) -> None:
    config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": CONFIG, "namespace": NAMESPACE}}
    found = operator_of(from_objects([{**config_map, "data": {"config.data": data}}], bundled_definitions()), DEFAULT)
    assert (found.scheduler, found.image, bool(found.trouble)) == (scheduler, image, not image)


@pytest.mark.parametrize(
    "data",
    [
        "{init-container-image: i/x:1}",
        "init-container-image: >-\n  folded\n  image\n",
        "init-container-image: i/x:1\n  continued\n",
        "init-container-image: &a i/x:1\nscheduler-name: *a\n",
        "init-container-image: !!str i/x:1\n",
        "scheduler-name: 'it''s'\ninit-container-image: i/x:1\n",
        'init-container-image: "\\u0041"\n',
        "? init-container-image\n: i/x:1\n",
        # Go's YAML refuses these.
        "\tinit-container-image: i/x:1\n",
        "init-container-image: @i/x:1\n",
        "init-container-image: i/x:1\nscheduler-name: a: b\n",
        "init-container-image: i/x:1\nscheduler-name: -\n",
        "init-container-image: i/x:1\nscheduler-name: [a]\n",
    ],
)
def test_other_forms_are_not_read(data: str) -> None:
    config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": CONFIG, "namespace": NAMESPACE}}
    found = operator_of(from_objects([{**config_map, "data": {"config.data": data}}], bundled_definitions()), DEFAULT)
    assert (found.is_known, found.is_readable, found.trouble) == (False, False, "")
