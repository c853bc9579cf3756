"""Which AIMServices depend on a config, a model or a template, as keys under which the store files services.

A service depends on the config, the model and the template that it names, or on the text of its image. A template that it doesn't name is
chosen among those of its model, so a template leads to services through its model. If a service has no config, kaiwo reports its template's
config, so there a config leads to services through the templates that name it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.aim.dialect import Dialect, dialect_of
from weighbridge.policies.families.aim.predictions.configuration import DEFAULT
from weighbridge.policies.families.aim.predictions.kaiwo import OPERATOR_NAMESPACE
from weighbridge.policies.families.aim.predictions.template import derived_name, named_in
from weighbridge.policies.families.aim.subject.references import configs, models, templates
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of

#: The key of the templates among which kaiwo looks for one that equals a derived template.
_DERIVED: Final = "derived"


def service_goes_by(service: JSONObject) -> Iterator[Hashable]:
    """The keys of an AIMService: the objects that it names, in its namespace and in the cluster."""
    spec, dialect, own = spec_of(service), _dialect(service), namespace_of(service)
    asked, template = part(spec, "model"), named_in(spec, dialect)
    images = {text(asked, "image").strip(), text(part(asked, "custom"), "baseImage")} - {""}
    for namespace in (own, ""):
        yield "config", namespace, text(spec, "runtimeConfigName") or DEFAULT
        yield "model", namespace, text(asked, dialect.reference).strip()
        for image in images:
            yield "image", namespace, image
        if template:
            yield "template", namespace, template
    if not dialect.is_aim_engine and isinstance(spec.get("kvCache"), dict):
        yield "kv cache", own, text(part(spec, "kvCache"), "name") or f"kvcache-{own}"
    overrides = part(spec, "overrides")
    if template and overrides and dialect.is_aim_engine:
        yield "template", own, derived_name(template, overrides)
    elif template and overrides:
        yield _DERIVED, own
        yield _DERIVED, ""


def keys(obj: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The keys of the services that depend on an object. Caches lead to services through the templates whose weights they hold."""
    kind, namespace, name, dialect = obj.get("kind"), namespace_of(obj), name_of(obj), _dialect(obj)
    if kind == "AIMKVCache":
        yield "kv cache", namespace, name
    elif kind in {one.kind for one in configs(dialect.group)}:
        yield from _of_config(namespace, name, dialect, facts)
    elif kind in {one.kind for one in models(dialect.group)}:
        yield "model", namespace, name
        yield "image", namespace, text(spec_of(obj), "image")
    elif kind in {one.kind for one in templates(dialect.group)}:
        yield from _of_template(obj, dialect, facts)
    elif kind == "AIMTemplateCache":
        yield from _of_templates(text(spec_of(obj), "templateName" if dialect.is_aim_engine else "templateRef"), _name, obj, facts)
    elif kind in ("AIMArtifact", "AIMModelCache"):
        yield from _of_templates(text(spec_of(obj), "sourceUri"), _sources, obj, facts)


def goes_by_names(obj: JSONObject) -> Iterator[Hashable]:
    """The keys of a model, a template or a cache: its config, its model and its template, in its namespace and in the cluster."""
    spec, dialect = spec_of(obj), _dialect(obj)
    named = {
        "config": text(spec, "runtimeConfigName") or DEFAULT,
        "model": text(spec, "modelName"),
        "template": text(spec, "templateName" if dialect.is_aim_engine else "templateRef"),
    }
    for what, name in named.items():
        for namespace in {namespace_of(obj), "", OPERATOR_NAMESPACE} if name else ():
            yield what, namespace, name


def names(obj: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The key of the models, templates and caches that depend on an object."""
    kind, dialect = obj.get("kind"), _dialect(obj)
    for what, pair in (("config", configs), ("model", models), ("template", templates)):
        if kind in {one.kind for one in pair(dialect.group)}:
            yield what, namespace_of(obj), name_of(obj)


def _of_templates(wanted: str, by: Callable[[JSONObject], Iterable[Hashable]], cache: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The keys of the services of the templates that a cache is for, in its namespace or in the cluster."""
    dialect = _dialect(cache)
    for kind in templates(dialect.group):
        for template in facts.objects.read_where(dialect.group, kind.kind, itself, by, wanted):
            if namespace_of(template) in {"", namespace_of(cache)}:
                yield from _of_template(template, dialect, facts)


def _of_config(namespace: str, name: str, dialect: Dialect, facts: Facts) -> Iterator[Hashable]:
    yield "config", namespace, name
    if dialect.is_aim_engine:
        return
    for kind in templates(dialect.group):
        for template in facts.objects.read_where(dialect.group, kind.kind, itself, _config_of, name):
            # A template of the cluster finds the configs of the namespace that the operator runs in.
            if namespace in {"", namespace_of(template) or OPERATOR_NAMESPACE}:
                yield from _of_template(template, dialect, facts)


def _of_template(template: JSONObject, dialect: Dialect, facts: Facts) -> Iterator[Hashable]:
    """The keys of the services that name a template, or whose model it is for."""
    namespace, model = namespace_of(template), text(spec_of(template), "modelName")
    yield "template", namespace, name_of(template)
    yield "model", namespace, model
    if not dialect.is_aim_engine:
        yield _DERIVED, namespace
    for kind in models(dialect.group):
        for found in facts.objects.read_where(dialect.group, kind.kind, itself, _name, model):
            if namespace in {"", namespace_of(found)} or not namespace_of(found):
                yield "image", namespace or namespace_of(found), text(spec_of(found), "image")


def _config_of(template: JSONObject) -> Iterable[Hashable]:
    return (text(spec_of(template), "runtimeConfigName") or DEFAULT,)


def _sources(template: JSONObject) -> Iterable[Hashable]:
    """The addresses of a template's weights."""
    return {text(source, "sourceUri") for found in (template.get("status"), spec_of(template)) for source in items(found, "modelSources")}


def _name(obj: JSONObject) -> Iterable[Hashable]:
    return (name_of(obj),)


def _dialect(obj: JSONObject) -> Dialect:
    gvk = GroupVersionKind.from_object(obj)
    return dialect_of(gvk.group if gvk is not None else "")
