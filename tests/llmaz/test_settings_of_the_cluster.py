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
    ],
)
def test_forms(data: str, scheduler: str, image: str) -> None:
    config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": CONFIG, "namespace": NAMESPACE}}
    found = operator_of(from_objects([{**config_map, "data": {"config.data": data}}], bundled_definitions()), DEFAULT)
    assert (found.scheduler, found.image, bool(found.trouble)) == (scheduler, image, not image)
