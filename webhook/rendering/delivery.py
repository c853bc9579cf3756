"""Objects by which Flux, Argo CD and kustomize apply others: texts about what they would render or apply."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import Manifest
from weighbridge.webhook.rendering.kustomizations import GROUP, OWN_FILE
from weighbridge.webhook.rendering.surroundings import Surroundings

_ARGO: Final = "argoproj.io"
_FLUX_HELM: Final = "helm.toolkit.fluxcd.io"
_FLUX_KUSTOMIZE: Final = "kustomize.toolkit.fluxcd.io"
_SOURCES: Final = "source.toolkit.fluxcd.io"
_NOT_JUDGED: Final = "which isn't judged here"
_ARGO_KINDS: Final = frozenset({"Application", "ApplicationSet", "AppProject"})


def what_it_renders(value: JSONObject, fate: str = "") -> str:
    """A text on what a delivery object applies; empty if it isn't one. `fate` says what happens with that here."""
    gvk = GroupVersionKind.from_object(value)
    if gvk is None:
        return ""
    if gvk.group == _FLUX_HELM and gvk.kind == "HelmRelease":
        return f"Flux renders {_release(value)}, {fate or _NOT_JUDGED}"
    if gvk.group == _FLUX_KUSTOMIZE and gvk.kind == "Kustomization":
        what = f"{text(part(value, 'spec'), 'path') or './'} of {_reference(part(value, 'spec', 'sourceRef'), value)}"
        return f"Flux applies {what}{fate and f', {fate}'}"
    if gvk.group == _ARGO and gvk.kind in _ARGO_KINDS:
        return _of_argo(value, gvk.kind, fate or _NOT_JUDGED)
    if gvk.group == _SOURCES:
        return "Flux fetches what others apply from it"
    return OWN_FILE if gvk.group == GROUP else ""


def _release(value: JSONObject) -> str:
    chart = part(value, "spec", "chart", "spec")
    if chart:
        version = text(chart, "version")
        return f"chart {text(chart, 'chart')}{version and f' {version}'} of {_reference(part(chart, 'sourceRef'), value)}"
    reference = part(value, "spec", "chartRef")
    return f"the chart of {_reference(reference, value)}" if reference else "a chart"


def _reference(reference: JSONObject, value: JSONObject) -> str:
    namespace = text(reference, "namespace") or namespace_of(value)
    name = text(reference, "name")
    return f"{text(reference, 'kind')} {namespace and f'{namespace}/'}{name}"


def _of_argo(value: JSONObject, kind: str, fate: str) -> str:
    if kind == "AppProject":
        return "Argo CD's own settings"
    spec = part(value, "spec") if kind == "Application" else part(value, "spec", "template", "spec")
    sources = [part(spec, "source"), *items(spec, "sources")]
    named = [_argo_source(source) for source in sources if source]
    what = " and ".join(named) or "nothing"
    return f"Argo CD renders {what}, {fate}" if kind == "Application" else f"Argo CD renders {what} for each of its generators' values"


def _argo_source(source: JSONObject) -> str:
    where = text(source, "repoURL")
    if text(source, "chart"):
        return f"chart {text(source, 'chart')} {text(source, 'targetRevision')} of {where}"
    return f"{text(source, 'path') or '.'} of {where}"


@dataclass(frozen=True, slots=True)
class Applied:
    """A folder that Flux applies after replacing variables: those with a value, and the objects whose values aren't known."""

    folder: str
    variables: Mapping[str, str]
    unknown: tuple[str, ...]


def variables_of(manifest: Manifest, tree: Surroundings) -> Applied | None:
    """What a Kustomization of Flux applies after replacing variables; `None` for other objects.

    Source: fluxcd/pkg kustomize/kustomize_varsub.go, LoadVariables and SubstituteVariables, as of Flux 2.6.
    """
    value, source = manifest.value, manifest.document.source
    gvk = GroupVersionKind.from_object(value)
    if gvk is None or (gvk.group, gvk.kind) != (_FLUX_KUSTOMIZE, "Kustomization"):
        return None
    spec = part(value, "spec")
    post_build = part(spec, "postBuild")
    if not post_build:
        return None
    texts: dict[str, str] = {}
    unknown: list[str] = []
    for entry in items(post_build, "substituteFrom"):
        kind, name, namespace = text(entry, "kind"), text(entry, "name"), namespace_of(value)
        data = tree.data(namespace, name, source) if kind == "ConfigMap" else None
        if data is None:
            unknown.append(f"{kind} {namespace and f'{namespace}/'}{name}")
        texts |= data or {}
    given = part(post_build, "substitute")
    texts |= text_map(post_build, "substitute") | {key: str(one) for key, one in given.items() if isinstance(one, (int, float))}
    lines = {key: one.replace("\n", "") for key, one in texts.items()}
    folder = os.path.normpath(os.path.join(tree.root(source), (text(spec, "path") or os.curdir).lstrip("/")))
    return Applied(folder, lines, tuple(unknown))
