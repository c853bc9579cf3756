"""The ConfigMaps by which namespaces bring sections of the configuration: their label, and the key of the text."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

LABEL: Final = "weighbridge.dev/configuration"
LABEL_VALUE: Final = "true"
KEY: Final = "configuration.yaml"
#: The most bytes of a section, enough for hundreds of entries. A user who may write ConfigMaps must not be able to keep the webhook busy.
MOST_BYTES: Final = 32 * 1024
#: The most values and keys of a section. Aliases aren't accepted, since a small text could become a large one with them.
MOST_VALUES: Final = 2000
#: The most ConfigMaps of one namespace that are read, sorted by name.
MOST_IN_NAMESPACE: Final = 10


def is_section(config_map: JSONObject) -> bool:
    """Whether a ConfigMap has the label."""
    return text_map(config_map, "metadata", "labels").get(LABEL) == LABEL_VALUE


def origin_of(config_map: JSONObject) -> str:
    """The name of a section from a ConfigMap."""
    return f"ConfigMap {namespace_of(config_map)}/{name_of(config_map)}"
