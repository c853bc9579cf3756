"""The ConfigMaps of a live cluster by which namespaces narrow the configuration; no others are ever read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from weighbridge.policies.facts.kinds import ReadKind
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, metadata_of, name_of, namespace_of
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.configuration.section_config_maps import KEY, LABEL, LABEL_VALUE, MOST_BYTES

CONFIG_MAPS: Final = ReadKind(GroupVersionKind("", "v1", "ConfigMap"), "configmaps")
_SELECTOR: Final = f"{LABEL}={LABEL_VALUE}"


def slim(config_map: JSONObject) -> JSONObject:
    """The kept part of a ConfigMap: its name, its label and the text. A text that is too long is cut so that this is noticed."""
    metadata, data = metadata_of(config_map), text_map(config_map, "data")
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {key: metadata[key] for key in ("namespace", "name") if key in metadata} | {"labels": {LABEL: LABEL_VALUE}},
        "data": {KEY: data[KEY][: MOST_BYTES + 1]} if KEY in data else {},
    }


class LabelledConfigMaps:
    """The API server, asked only for the ConfigMaps that have the label."""

    def __init__(self, api: KubernetesAPI) -> None:
        self._api = api

    async def get(self, path: str) -> JSONObject:
        """One answer. Raises APIError."""
        return await self._api.get(path)

    def pages(self, path: str, **query: str) -> AsyncIterator[JSONObject]:
        """The pages of the list."""
        return self._api.pages(path, labelSelector=_SELECTOR, **query)

    def events(self, path: str, **query: str | int) -> AsyncIterator[JSONObject]:
        """The events of a watch; an object that loses its label comes as deleted."""
        return self._api.events(path, labelSelector=_SELECTOR, **query)


async def sections_of(api: KubernetesAPI) -> list[JSONObject]:
    """The ConfigMaps with sections, by namespace and name; none if they may not be read."""
    found: list[JSONObject] = []
    try:
        async for page in LabelledConfigMaps(api).pages(CONFIG_MAPS.path):
            found += (slim({"apiVersion": "v1", "kind": "ConfigMap"} | item) for item in page.get("items") or ())
    except APIError:
        return []
    return sorted(found, key=lambda obj: (namespace_of(obj), name_of(obj)))
