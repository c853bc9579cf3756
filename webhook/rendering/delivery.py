"""Objects by which Flux, Argo CD and kustomize apply others: what they would render or apply, in words."""

from __future__ import annotations

import os
from typing import Final

from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, namespace_of
from weighbridge.webhook.rendering.kustomizations import GROUP, OWN_FILE

_ARGO: Final = "argoproj.io"
_FLUX_HELM: Final = "helm.toolkit.fluxcd.io"
_FLUX_KUSTOMIZE: Final = "kustomize.toolkit.fluxcd.io"
_SOURCES: Final = "source.toolkit.fluxcd.io"
_ARGO_KINDS: Final = frozenset({"Application", "ApplicationSet", "AppProject"})


def what_it_renders(value: JSONObject) -> str:
    """What an object of delivery has applied; empty if it is none."""
    gvk = GroupVersionKind.from_object(value)
    if gvk is None:
        return ""
    if gvk.group == _FLUX_HELM and gvk.kind == "HelmRelease":
        return f"Flux renders {_release(value)}, which isn't judged here"
    if gvk.group == _FLUX_KUSTOMIZE and gvk.kind == "Kustomization":
        return f"Flux applies {text(part(value, 'spec'), 'path') or './'} of {_reference(part(value, 'spec', 'sourceRef'), value)}"
    if gvk.group == _ARGO and gvk.kind in _ARGO_KINDS:
        return _of_argo(value, gvk.kind)
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


def _of_argo(value: JSONObject, kind: str) -> str:
    if kind == "AppProject":
        return "Argo CD's own settings"
    spec = part(value, "spec") if kind == "Application" else part(value, "spec", "template", "spec")
    sources = [part(spec, "source"), *items(spec, "sources")]
    named = [_argo_source(source) for source in sources if source]
    what = " and ".join(named) or "nothing"
    return (
        f"Argo CD renders {what}, which isn't judged here"
        if kind == "Application"
        else f"Argo CD renders {what} for each of its generators' values"
    )


def _argo_source(source: JSONObject) -> str:
    where = text(source, "repoURL")
    if text(source, "chart"):
        return f"chart {text(source, 'chart')} {text(source, 'targetRevision')} of {where}"
    return f"{text(source, 'path') or '.'} of {where}"


def variables_of(value: JSONObject) -> tuple[str, dict[str, str]] | None:
    """The path that a Kustomization of Flux applies with variables put in, and those with a value; `None` if it is none."""
    gvk = GroupVersionKind.from_object(value)
    if gvk is None or (gvk.group, gvk.kind) != (_FLUX_KUSTOMIZE, "Kustomization"):
        return None
    post_build = part(value, "spec", "postBuild")
    if not post_build:
        return None
    given = part(post_build, "substitute")
    texts = text_map(post_build, "substitute") | {key: str(one) for key, one in given.items() if isinstance(one, (int, float))}
    return os.path.normpath(text(part(value, "spec"), "path") or os.curdir), texts
