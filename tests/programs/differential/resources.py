"""The custom resources of the comparison: those of the five systems, and our own with the keywords that theirs lack.

A CRD that exists twice with different schemas gets a second group, so that both can be installed at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import yaml

from tests.apiserver.probe import PLAIN_CRD, PROBE_CRD
from tests.programs.differential.sites import Keyword, Site, sites
from weighbridge.policies.apiserver.definitions import ResourceDefinition, read_crd
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import ServerRelease
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.schema.node import Schema
from weighbridge.webhook.inputs.manifest_reader import read
from weighbridge.webhook.texts.errors import InputError

_SINCE = "differential.weighbridge.test/since"
_OWN = Path(__file__).with_name("probe_crds.yaml")


@dataclass(slots=True)
class Crd:
    """One CustomResourceDefinition; `samples` are upstream's own manifests of its kinds."""

    manifest: JSONObject
    samples: list[JSONObject] = field(default_factory=list)

    @property
    def name(self) -> str:
        """``models.inference.llmkube.dev``."""
        name: str = self.manifest["metadata"]["name"]
        return name

    def is_for(self, release: ServerRelease) -> bool:
        """Whether a server of a release accepts it: our own CRDs may name the first one that knows the functions of their rules."""
        since = text(part(self.manifest, "metadata", "annotations"), _SINCE)
        return not since or release.version >= tuple(map(int, since.split(".")))

    def widened(self) -> JSONObject:
        """The CRD with schemas that accept any object, and without subresources, so that stored objects needn't be valid."""
        wide: JSONObject = deep_copy(self.manifest)
        for version in wide["spec"]["versions"]:
            version["schema"] = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
            version.pop("subresources", None)
            version.pop("selectableFields", None)
        return wide


class Edition:
    """One served version of a CRD, as requests are made for it."""

    def __init__(self, crd: Crd, definition: ResourceDefinition) -> None:
        self.crd = crd
        self.definition = definition
        gvk = definition.gvk
        self.samples = [sample for sample in crd.samples if sample.get("apiVersion") == gvk.api_version]
        self.collection = f"/apis/{gvk.group}/{gvk.version}/{'namespaces/default/' if definition.namespaced else ''}{definition.plural}"

    def __repr__(self) -> str:
        return f"{self.definition.resource}/{self.definition.gvk.version}"

    @property
    def schema(self) -> Schema:
        """The root of its schema."""
        return self.definition.schema.schema

    @cached_property
    def sites(self) -> dict[Keyword, list[Site]]:
        """The places at which it can be broken."""
        return sites(self.schema)

    def sites_below(self, field: str) -> dict[Keyword, list[Site]]:
        """The places below one field of the root."""
        below = {keyword: [site for site in found if site.path[0] == field] for keyword, found in self.sites.items()}
        return {keyword: found for keyword, found in below.items() if found}


def editions(crd: Crd) -> list[Edition]:
    """The served versions."""
    return [Edition(crd, definition) for definition in read_crd(crd.manifest) if definition.served]


def own_crds() -> list[Crd]:
    """The CRDs made for tests."""
    manifests = [PROBE_CRD, PLAIN_CRD, *yaml.safe_load_all(_OWN.read_text(encoding="utf-8"))]
    return [Crd(deep_copy(manifest)) for manifest in manifests]


def corpus_crds(corpus: Path) -> list[Crd]:
    """The CRDs below a folder, with the manifests of their kinds there."""
    crds: dict[str, Crd] = {}
    for manifest in _documents(sorted(corpus.glob("*/crds*/**/*.yaml"))):
        if manifest.get("kind") == "CustomResourceDefinition":
            _add(crds, manifest)
    for sample in _documents(sorted(corpus.glob("*/samples/**/*.yaml"))):
        for crd in crds.values():
            _add_sample(crd, sample)
    return list(crds.values())


def _documents(paths: Iterable[Path]) -> Iterator[JSONObject]:
    for path in paths:
        try:
            reading = read([str(path)])
        except InputError:
            continue
        yield from (manifest.value for manifest in reading.manifests)


def _add(crds: dict[str, Crd], found: JSONObject) -> None:
    manifest: JSONObject = deep_copy(found)
    # Conversion isn't set up here, and the server's status of a CRD isn't compared.
    manifest["spec"].pop("conversion", None)
    manifest.pop("status", None)
    manifest["metadata"] = {key: manifest["metadata"][key] for key in ("name", "annotations") if key in manifest["metadata"]}
    name = manifest["metadata"]["name"]
    if name in crds:
        if _schemas(crds[name].manifest) == _schemas(manifest):
            return
        group = f"second.{manifest['spec']['group']}"
        manifest["spec"]["group"] = group
        manifest["metadata"]["name"] = name = f"{manifest['spec']['names']['plural']}.{group}"
    crds.setdefault(name, Crd(manifest))


def _schemas(manifest: JSONObject) -> str:
    return json.dumps([version["schema"] for version in manifest["spec"]["versions"]], sort_keys=True)


def _add_sample(crd: Crd, sample: JSONObject) -> None:
    spec = crd.manifest["spec"]
    group, _, version = str(sample.get("apiVersion")).rpartition("/")
    if sample.get("kind") == spec["names"]["kind"] and group in (spec["group"], spec["group"].removeprefix("second.")):
        crd.samples.append(deep_copy(sample) | {"apiVersion": f"{spec['group']}/{version}"})
