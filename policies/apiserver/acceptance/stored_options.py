"""The checks that an update may fail because the stored definition fails them: validation never gets stricter for what is stored.

Source: ``ValidateCustomResourceDefinitionUpdate`` in
k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.apiserver.acceptance.conversion import ca_bundle_errors, has_recognized_review_version, review_versions
from weighbridge.policies.apiserver.acceptance.definition_types import VERSION
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.list_types import has_divisible_set_items, unsound_keys
from weighbridge.policies.apiserver.acceptance.openapi_schema import TYPES
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.apiserver.acceptance.rule_types import StoredExpressions
from weighbridge.policies.apiserver.acceptance.semantic_equality import semantically_equal
from weighbridge.policies.apiserver.acceptance.spec_form import SpecForm, any_node, schema_nodes, schema_of
from weighbridge.policies.apiserver.acceptance.structural import structural_errors, unconvertible
from weighbridge.policies.apiserver.acceptance.version_fields import MAX_SELECTABLE
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.go_values import deep_copy, deep_equal
from weighbridge.policies.schema.node import Schema

_ROOT = FieldPath("")
_VALIDATION = VERSION.fields["schema"].type


def options_for_update(form: SpecForm, old: SpecForm, old_definition: JSONObject) -> Options:
    """The options for an update from the stored `old_definition`, whose spec is `old`, to `form`."""
    established = is_established(old_definition)
    versions = review_versions(old.raw.get("conversion"))
    return Options(
        recognized_review_version=not versions or has_recognized_review_version(versions),
        immutable_names=established,
        schema_in_all_versions=_has_all_schemas(old),
        valid_types=not any_node(old.schemas(), lambda node: node.get("type", TYPES[0]) not in TYPES),
        structural_schema=not any(_is_unstructural(schema) for schema in old.schemas()),
        pruned_defaults=not any(_has_unpruned_default(schema) for schema in old.schemas()),
        atomic_set_items=not any_node(old.schemas(), has_divisible_set_items),
        sound_list_keys=not any_node(old.schemas(), lambda node: any(True for _ in unsound_keys(node, _ROOT))),
        unchanged_versions=frozenset(_unchanged(form, old)),
        stored_expressions=_expressions(old),
        allow_bad_ca_bundle=not established or _has_bad_ca_bundle(old),
        too_many_selectable=frozenset(_too_many_selectable(form, old)),
    )


def is_established(definition: JSONObject) -> bool:
    """Whether the status says that the definition is established: its names are accepted and its resource is served."""
    conditions = (definition.get("status") or {}).get("conditions") or []
    return any(condition.get("type") == "Established" and condition.get("status") == "True" for condition in conditions)


def _has_all_schemas(form: SpecForm) -> bool:
    if schema_of(form.validation) is not None:
        return True
    return all(schema_of(version.get("schema")) is not None for version in form.versions or ())


def _is_unstructural(schema: JSONObject) -> bool:
    return bool(unconvertible(schema) or structural_errors(schema, _ROOT))


def _has_unpruned_default(schema: JSONObject) -> bool:
    return not _is_unstructural(schema) and any(_is_unpruned(node) for node in _declared_nodes(schema))


def _declared_nodes(schema: JSONObject) -> Iterator[JSONObject]:
    """The nodes that declare fields, without those in combinators."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        yield node
        below = [node.get("items"), node.get("additionalProperties"), *(node.get("properties") or {}).values()]
        waiting.extend(held for held in below if isinstance(held, dict))


def _is_unpruned(node: JSONObject) -> bool:
    value = node.get("default")
    if not isinstance(value, (dict, list)):
        return False
    pruned = deep_copy(value)
    is_embedded = bool(node.get("x-kubernetes-embedded-resource"))
    CompiledSchema(Schema(node), "default").prune(pruned, is_resource_root=is_embedded)
    return not deep_equal(pruned, value)


def _unchanged(form: SpecForm, old: SpecForm) -> Iterator[str]:
    for version in form.versions or ():
        name = version.get("name", "")
        if old.has_schema_for(name) and semantically_equal(form.schema_for(name), old.schema_for(name), _VALIDATION):
            yield name


def _expressions(form: SpecForm) -> StoredExpressions:
    rules = [rule for schema in form.schemas() for node in schema_nodes(schema) for rule in node.get("x-kubernetes-validations") or ()]
    messages = (rule.get("messageExpression", "") for rule in rules)
    return StoredExpressions(frozenset(rule.get("rule", "") for rule in rules), frozenset(filter(None, messages)))


def _has_bad_ca_bundle(form: SpecForm) -> bool:
    client = ((form.raw.get("conversion") or {}).get("webhook") or {}).get("clientConfig") or {}
    return bool(client.get("caBundle")) and any(True for _ in ca_bundle_errors(client["caBundle"], _ROOT))


def _too_many_selectable(form: SpecForm, old: SpecForm) -> Iterator[str]:
    if not release().keeps_many_selectable_fields:
        return
    kind = VERSION.fields["selectableFields"].type
    if len(old.selectable) > MAX_SELECTABLE and semantically_equal(form.selectable, old.selectable, kind):
        yield ""
    before = {version.get("name", ""): version.get("selectableFields") or [] for version in old.versions or ()}
    for version in form.versions or ():
        fields = before.get(version.get("name", ""), [])
        if len(fields) > MAX_SELECTABLE and semantically_equal(version.get("selectableFields"), fields, kind):
            yield version.get("name", "")
