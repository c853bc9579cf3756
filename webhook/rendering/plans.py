"""How a HelmRelease of Flux or an Application of Argo CD renders a part of the tree: the folder, and the input of Helm or kustomize.

Source: fluxcd/pkg chartutil/values.go, ChartValuesFromReferences, and source-controller internal/helm/chart/builder_local.go, as of
Flux 2.6; argo-cd v3.1 util/helm/cmd.go and util/kustomize/kustomize.go.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import flag, items, part, text, texts
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import Manifest
from weighbridge.webhook.rendering.charts import FILE
from weighbridge.webhook.rendering.kustomizations import NAMES
from weighbridge.webhook.rendering.surroundings import Surroundings
from weighbridge.webhook.texts.json_text import readable

_OWN_VALUES: Final = "values.yaml"
#: Valid names of Helm releases; one that begins with a dash would be an option.
_NAME: Final = expression(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_LITERAL: Final = expression(r"([\\,\[\]{}])")
_COMMA: Final = expression(r"([^\\]),")
#: The fields of an Application's kustomize that a kustomization around the folder can have, too.
_AROUND: Final = ("images", "replicas", "namespace", "commonAnnotations", "commonLabels", "patches", "namePrefix", "nameSuffix")
#: Fields that don't change the output.
_IDLE: Final = frozenset({"version", "kubeVersion", "apiVersions", "forceCommonLabels", "forceCommonAnnotations"})
#: Fields that replace those of the folder's own kustomization.
_REPLACING: Final = ("namePrefix", "nameSuffix")


@dataclass(frozen=True, slots=True)
class Plan:
    """A rendering of a chart, with files and texts of values and Helm's options, or of a kustomization with additional fields.

    `unknown` are the objects whose values aren't known.
    """

    folder: str
    is_chart: bool
    name: str = ""
    namespace: str = ""
    files: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    has_own_values: bool = True
    fields: JSONObject | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotPlanned:
    """Why a part of the tree isn't rendered as an object says."""

    why: str


def plans_of(manifest: Manifest, tree: Surroundings) -> list[Plan | NotPlanned]:
    """The renderings of an object; empty if its chart or folder isn't in the tree."""
    gvk = GroupVersionKind.from_object(manifest.value)
    if gvk is None:
        return []
    if (gvk.group, gvk.kind) == ("helm.toolkit.fluxcd.io", "HelmRelease"):
        return _of_flux(manifest, tree)
    if (gvk.group, gvk.kind) == ("argoproj.io", "Application"):
        spec = part(manifest.value, "spec")
        sources = items(spec, "sources") or [part(spec, "source")]
        return [found for source in sources if (found := _of_source(source, manifest, tree)) is not None]
    return []


def _of_flux(manifest: Manifest, tree: Surroundings) -> list[Plan | NotPlanned]:
    value, source = manifest.value, manifest.document.source
    spec, namespace = part(value, "spec"), namespace_of(value)
    chart = part(spec, "chart", "spec")
    reference = part(spec, "chartRef")
    if text(reference, "kind") == "HelmChart":
        found = tree.named("HelmChart", text(reference, "namespace") or namespace, text(reference, "name"), source)
        chart = part(found, "spec")
    given = text(chart, "chart")
    folder = tree.path(given, source) if given and text(part(chart, "sourceRef"), "kind") == "GitRepository" else ""
    if not folder or not tree.path(os.path.join(given, FILE), source):
        return []
    if spec.get("postRenderers"):
        return [NotPlanned("its postRenderers change what comes out")]
    named = [*texts(chart, "valuesFiles"), *([text(chart, "valuesFile")] if text(chart, "valuesFile") else ())]
    files = [tree.path(name, source) for name in named]
    target = text(spec, "targetNamespace")
    release = text(spec, "releaseName") or "-".join(filter(None, (target, name_of(value))))
    if not _NAME.fullmatch(release):
        return [NotPlanned(_odd_name(release))]
    if not all(files) and not flag(chart, "ignoreMissingValuesFiles"):
        return [NotPlanned(f"{named[files.index('')]} of its valuesFiles isn't in the tree")]
    own = os.path.join(folder, _OWN_VALUES)
    values = _values_from(manifest, tree)
    if isinstance(values, NotPlanned):
        return [values]
    inline = part(spec, "values")
    return [
        Plan(
            folder,
            is_chart=True,
            name=release,
            namespace=target or namespace,
            files=tuple(file for file in files if file and os.path.normpath(file) != own),
            texts=(*values.texts, *([readable(inline)] if inline else ())),
            options=values.options,
            has_own_values=not named or own in files,
            unknown=values.unknown,
        )
    ]


@dataclass(slots=True)
class _Values:
    texts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def _values_from(manifest: Manifest, tree: Surroundings) -> _Values | NotPlanned:
    """The values that ConfigMaps of the tree give; those of a Secret aren't known."""
    found = _Values()
    namespace = namespace_of(manifest.value)
    for entry in items(manifest.value, "spec", "valuesFrom"):
        kind, name, key = text(entry, "kind"), text(entry, "name"), text(entry, "valuesKey") or _OWN_VALUES
        label = f"{kind} {namespace and f'{namespace}/'}{name}"
        if kind != "ConfigMap":
            found.unknown += (label,)
            continue
        data = tree.data(namespace, name, manifest.document.source)
        if data is None or key not in data:
            if not flag(entry, "optional"):
                return NotPlanned(f"{label} isn't in the tree" if data is None else f"{label} has no key {key}")
        elif text(entry, "targetPath"):
            found.options += _at(text(entry, "targetPath"), data[key], is_literal=flag(entry, "literal"))
        else:
            found.texts += (data[key],)
    return found


def _at(path: str, value: str, *, is_literal: bool) -> tuple[str, str]:
    """The option that sets one value."""
    if is_literal:
        return "--set-string", "=".join((path, _LITERAL.sub(r"\\\1", value)))
    if value[:1] in {"'", '"'} and value[:1] == value[-1:]:
        return "--set-string", f"{path}={value.strip(value[0])}"
    return "--set", f"{path}={value}"


def _of_source(source: JSONObject, manifest: Manifest, tree: Surroundings) -> Plan | NotPlanned | None:
    given = text(source, "path")
    folder = tree.path(given, manifest.document.source) if given and not text(source, "chart") else ""
    if not folder:
        return None
    if tree.path(os.path.join(given, FILE), manifest.document.source):
        return _of_chart(source, folder, manifest, tree)
    if any(tree.path(os.path.join(given, name), manifest.document.source) for name in NAMES):
        return _of_kustomization(source, folder)
    return None


def _of_chart(source: JSONObject, folder: str, manifest: Manifest, tree: Surroundings) -> Plan | NotPlanned:
    helm, file = part(source, "helm"), manifest.document.source
    files = []
    for name in texts(helm, "valueFiles"):
        if "://" in name:
            return NotPlanned(f"{name} of its valueFiles would be downloaded")
        # $NAME means the root of another source's repository.
        path = tree.path(f"/{name.partition('/')[2]}" if name.startswith("$") else name, file, folder)
        if path:
            files.append(path)
        elif not flag(helm, "ignoreMissingValueFiles"):
            return NotPlanned(f"{name} of its valueFiles isn't in the tree")
    options: list[str] = []
    for entry in items(helm, "parameters"):
        options += ("--set-string" if flag(entry, "forceString") else "--set", f"{text(entry, 'name')}={_escaped(text(entry, 'value'))}")
    for entry in items(helm, "fileParameters"):
        path = tree.path(text(entry, "path"), file, folder)
        if not path:
            return NotPlanned(f"{text(entry, 'path')} of its fileParameters isn't in the tree")
        options += ("--set-file", f"{text(entry, 'name')}={os.path.realpath(path)}")
    release = text(helm, "releaseName") or name_of(manifest.value)
    if not _NAME.fullmatch(release):
        return NotPlanned(_odd_name(release))
    inline = readable(part(helm, "valuesObject")) if "valuesObject" in helm else text(helm, "values")
    return Plan(
        folder,
        is_chart=True,
        name=release,
        namespace=text(helm, "namespace") or text(part(manifest.value, "spec", "destination"), "namespace"),
        files=tuple(files),
        texts=(inline,) if inline else (),
        options=(*options, *(("--skip-crds",) if flag(helm, "skipCrds") else ())),
    )


def _odd_name(name: str) -> str:
    return f"its name {name or '(none)'} isn't a name that Helm accepts"


def _escaped(value: str) -> str:
    """A value with escaped commas, except those of a list."""
    return value if value.startswith("{") and value.endswith("}") else _COMMA.sub(r"\1\\,", value)


def _of_kustomization(source: JSONObject, folder: str) -> Plan | NotPlanned:
    given = {key: value for key, value in part(source, "kustomize").items() if value and key not in _IDLE}
    odd = [key for key in given if key not in _AROUND]
    if odd:
        return NotPlanned(f"its kustomize.{odd[0]} isn't known here")
    if "images" in given:
        given["images"] = list(_images(texts(given, "images")))
    return Plan(folder, is_chart=False, fields=given)


def _images(given: tuple[str, ...]) -> Iterator[JSONObject]:
    """The images of a kustomization, from NAME=NEW, NAME:TAG and the like."""
    for image in given:
        name, equals, new = image.partition("=")
        rest, _, digest = (new if equals else name).partition("@")
        head, colon, tag = rest.rpartition(":")
        if not colon or "/" in tag:
            head, tag = rest, ""
        entry = {"name": name if equals else head, "newName": head if equals else "", "newTag": tag, "digest": digest}
        yield {key: value for key, value in entry.items() if value}


def replaces(plan: Plan, kustomization: JSONObject) -> str:
    """The field of a plan that would replace, not extend, the same field of the folder's own kustomization; empty if there is none."""
    return next((key for key in _REPLACING if (plan.fields or {}).get(key) and kustomization.get(key)), "")
