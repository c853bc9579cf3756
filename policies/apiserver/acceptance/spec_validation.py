"""Validates the spec of a definition.

Source: ``validateCustomResourceDefinitionSpec`` in
k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.apiserver.acceptance import wordings
from weighbridge.policies.apiserver.acceptance.conversion import conversion_errors
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.go_struct_text import versions_text
from weighbridge.policies.apiserver.acceptance.names import missing_name_errors, name_errors
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.apiserver.acceptance.schema_validation import schema_errors
from weighbridge.policies.apiserver.acceptance.spec_form import SpecForm, any_node, schema_of
from weighbridge.policies.apiserver.acceptance.structural import unconvertible
from weighbridge.policies.apiserver.acceptance.version_fields import (
    column_errors,
    deprecation_errors,
    has_status,
    selectable_errors,
    subresource_errors,
)
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import replace
from weighbridge.policies.schema.names import dns1035_label, dns1123_subdomain

_EXTENSIONS = (
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-validations",
)
_POINTER_EXTENSIONS = ("x-kubernetes-preserve-unknown-fields", "x-kubernetes-list-type")


def spec_errors(form: SpecForm, path: FieldPath, options: Options) -> list[FieldError]:
    """The errors of a spec; those of its schemas have the paths that the server uses while it validates."""
    has_defaults = any_node(form.schemas(), lambda node: node.get("default") is not None)
    if not form.preserves_unknown_fields or (options.allow_defaults and has_defaults) or any_node(form.schemas(), _is_extended):
        options = replace(options, structural_schema=True)
    errors = [*_group(form.raw.get("group", ""), path / "group"), *_scope(form.raw.get("scope", ""), path / "scope")]
    errors += _missing_schemas(form, path / "versions", options)
    if options.allow_defaults and has_defaults and form.preserves_unknown_fields:
        errors.append((path / "preserveUnknownFields").invalid(value=True, detail=wordings.PRESERVED_WITH_DEFAULTS))
    for index, version in enumerate(form.versions or ()):
        errors += _version(form, version, (path / "versions")[index], options)
    errors += _versions(form, path)
    errors += missing_name_errors(form.names, path / "names")
    errors += name_errors(form.names, path / "names")
    any_status = has_status(form.subresources) or any(has_status(version.get("subresources")) for version in form.versions or ())
    errors += schema_errors(form.validation, path / "validation", _for_version(options, form.version), has_status=any_status)
    errors += subresource_errors(form.subresources, path / "subresources")
    errors += column_errors(form.columns, path / "additionalPrinterColumns")
    errors += _shared_selectable(form, path, options)
    conversion = form.raw.get("conversion")
    if conversion is not None and conversion.get("strategy") != "None" and form.preserves_unknown_fields:
        strategy = json_text(conversion.get("strategy", ""))
        errors.append((path / "conversion" / "strategy").invalid_text(strategy, wordings.CONVERTED_AND_PRESERVED))
    errors += conversion_errors(conversion, path / "conversion", options)
    return errors


def _is_extended(node: JSONObject) -> bool:
    return any(node.get(key) for key in _EXTENSIONS) or any(node.get(key) is not None for key in _POINTER_EXTENSIONS)


def _for_version(options: Options, name: str) -> Options:
    """The options for one version's schema: if it hasn't changed, the cost of single rules isn't checked again."""
    return replace(options, suppress_expression_cost=True) if name in options.unchanged_versions else options


def _group(group: str, path: FieldPath) -> Iterator[FieldError]:
    if not group:
        yield path.required()
        return
    messages = dns1123_subdomain(group)
    if messages:
        yield path.invalid(group, ",".join(messages))
    elif "." not in group:
        yield path.invalid(group, wordings.GROUP_WITHOUT_DOT)


def _scope(scope: str, path: FieldPath) -> Iterator[FieldError]:
    if not scope:
        yield path.required()
    elif scope not in ("Cluster", "Namespaced"):
        yield path.not_supported(scope, ("Cluster", "Namespaced"))


def _missing_schemas(form: SpecForm, path: FieldPath, options: Options) -> Iterator[FieldError]:
    if schema_of(form.validation) is not None:
        return
    for index, version in enumerate(form.versions or ()):
        if schema_of(version.get("schema")) is not None:
            continue
        where = path[index] / "schema" / "openAPIV3Schema"
        if options.schema_in_all_versions:
            yield where.required()
        elif not form.preserves_unknown_fields and version.get("served"):
            yield where.required(wordings.NO_SCHEMA)


def _version(form: SpecForm, version: JSONObject, path: FieldPath, options: Options) -> Iterator[FieldError]:
    name = version.get("name", "")
    messages = dns1035_label(name)
    if messages:
        yield (path / "name").invalid(name, ",".join(messages))
    yield from deprecation_errors(version, path)
    with_status = has_status(_subresources(form, name))
    yield from schema_errors(version.get("schema"), path / "schema", _for_version(options, name), has_status=with_status)
    yield from subresource_errors(version.get("subresources"), path / "subresources")
    yield from column_errors(version.get("additionalPrinterColumns") or [], path / "additionalPrinterColumns")
    fields = version.get("selectableFields") or []
    if fields and schema_of(version.get("schema")) is None:
        yield (path / "selectableFields").invalid("", wordings.SELECTABLE_WITHOUT_SCHEMA)
    elif fields:
        schema = schema_of(version["schema"]) or {}
        obstacle = unconvertible(schema)
        if obstacle:
            yield (path / "schema" / "openAPIV3Schema").invalid("", obstacle)
        yield from selectable_errors(fields, schema, path / "selectableFields", any_number=name in options.too_many_selectable)


def _subresources(form: SpecForm, name: str) -> JSONObject | None:
    """The subresources of the first version with that name, or those above the versions if no version has its own."""
    versions = form.versions or []
    if not any(version.get("subresources") is not None for version in versions):
        return form.subresources
    return next((version.get("subresources") for version in versions if version.get("name", "") == name), None)


def _versions(form: SpecForm, path: FieldPath) -> Iterator[FieldError]:
    """The errors that concern all versions together."""
    versions, where = form.versions or [], path / "versions"
    names = [version.get("name", "") for version in versions]
    if len(set(names)) != len(names):
        yield where.invalid_text(versions_text(form.versions), wordings.DUPLICATE_VERSIONS)
    if sum(bool(version.get("storage")) for version in versions) != 1:
        yield where.invalid_text(versions_text(form.versions), wordings.NOT_ONE_STORAGE_VERSION)
    messages = dns1035_label(form.version) if form.version else []
    if messages:
        yield (path / "version").invalid(form.version, ",".join(messages))


def _shared_selectable(form: SpecForm, path: FieldPath, options: Options) -> Iterator[FieldError]:
    if not form.selectable:
        return
    where = path / "selectableFields"
    if form.validation is None:
        yield where.invalid("", wordings.SELECTABLE_WITHOUT_SHARED_SCHEMA)
        return
    schema = schema_of(form.validation) or {}
    obstacle = unconvertible(schema)
    if obstacle:
        yield (path / "schema" / "openAPIV3Schema").invalid("", obstacle)
    yield from selectable_errors(form.selectable, schema, where, any_number="" in options.too_many_selectable)
