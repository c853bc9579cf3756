"""The ConfigMaps by which namespaces bring sections of the configuration: their label, and the key of the text."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

LABEL: Final = "weighbridge.dev/configuration"
LABEL_VALUE: Final = "true"
KEY: Final = "configuration.yaml"
#: A section of that size has hundreds of entries; a user who may write ConfigMaps must not be able to keep the webhook busy with reading.
MOST_BYTES: Final = 32 * 1024
#: Values and keys of a section. With aliases, which aren't taken, a small text could become a large one.
MOST_VALUES: Final = 2000
#: ConfigMaps of one namespace that are read, by their names.
MOST_IN_NAMESPACE: Final = 10


def is_section(config_map: JSONObject) -> bool:
    """Whether a ConfigMap has the label."""
    return text_map(config_map, "metadata", "labels").get(LABEL) == LABEL_VALUE


def origin_of(config_map: JSONObject) -> str:
    """What a section from a ConfigMap is called."""
    return f"ConfigMap {namespace_of(config_map)}/{name_of(config_map)}"
