"""Checks whether the server would store the match and the parameters of a policy or binding, with its messages.

Source: kubernetes pkg/apis/admissionregistration/validation/validation.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.admission_policies import acceptance_wordings as wordings
from weighbridge.policies.admission_policies.declarations import ALL
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.fields import items, text, texts
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.selectors import selector_errors
from weighbridge.policies.schema.metadata_errors import no_group_version, no_kind
from weighbridge.policies.schema.names import dns1035_label, dns1123_subdomain, path_segment

_SCOPES: Final = (ALL, "Cluster", "Namespaced")
_MATCH_POLICIES: Final = ("Equivalent", "Exact")
FAILURE_POLICIES: Final = ("Fail", "Ignore")


def shared_errors(spec: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of the common fields of both kinds of policies: failurePolicy, paramKind and matchConstraints."""
    yield from failure_policy_errors(spec, path)
    yield from param_kind_errors(spec.get("paramKind"), path / "paramKind")
    constraints, where = spec.get("matchConstraints"), path / "matchConstraints"
    if not isinstance(constraints, dict):
        yield where.required()
        return
    yield from match_errors(constraints, where)
    if not items(constraints, "resourceRules"):
        yield (where / "resourceRules").required()


def failure_policy_errors(spec: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of the failurePolicy, which has a default."""
    found = text(spec, "failurePolicy", "Fail")
    if found not in FAILURE_POLICIES:
        yield (path / "failurePolicy").not_supported(found, FAILURE_POLICIES, as_json=True)


def param_kind_errors(found: JSONValue, path: FieldPath) -> Iterator[FieldError]:
    """The errors of the kind of the parameters."""
    if not isinstance(found, dict):
        return
    api_version, kind = text(found, "apiVersion"), text(found, "kind")
    where = path / "apiVersion"
    group, slash, version = api_version.partition("/")
    group, version = (group, version) if slash else ("", group)
    if not api_version:
        yield where.required()
    elif api_version.count("/") > 1:
        yield where.invalid(api_version, no_group_version(api_version))
    else:
        if group and (problems := dns1123_subdomain(group)):
            yield where.invalid(group, ",".join(problems))
        if not version:
            yield where.invalid(api_version, wordings.NO_VERSION)
        elif problems := dns1035_label(version):
            yield where.invalid(version, ",".join(problems))
    if not kind:
        yield (path / "kind").required()
    elif problems := dns1035_label(kind.lower()):
        yield (path / "kind").invalid(kind, no_kind(problems))


def match_errors(match: JSONValue, path: FieldPath) -> Iterator[FieldError]:
    """The errors of the match."""
    if not isinstance(match, dict):
        return
    policy = text(match, "matchPolicy", _MATCH_POLICIES[0])
    if policy not in _MATCH_POLICIES:
        yield (path / "matchPolicy").not_supported(policy, _MATCH_POLICIES, as_json=True)
    for key in ("namespaceSelector", "objectSelector"):
        if isinstance(match.get(key), dict):
            yield from selector_errors(match[key], str(path / key))
    for key in ("resourceRules", "excludeResourceRules"):
        for index, rule in enumerate(items(match, key)):
            yield from _rule_errors(rule, (path / key)[index])


def _rule_errors(rule: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    names: set[str] = set()
    for index, name in enumerate(texts(rule, "resourceNames")):
        where = (path / "resourceNames")[index]
        yield from (where.invalid(name, problem) for problem in path_segment(name))
        if name in names:
            yield FieldError(ErrorType.DUPLICATE, str(where), name)
        names.add(name)
    operations = texts(rule, "operations")
    yield from _needed(operations, path / "operations", wordings.OPERATIONS)
    for index, operation in enumerate(operations):
        if operation not in _OPERATIONS:
            yield (path / "operations")[index].not_supported(operation, _OPERATIONS, as_json=True)
    yield from _needed(texts(rule, "apiGroups"), path / "apiGroups", wordings.API_GROUPS)
    versions = texts(rule, "apiVersions")
    yield from _needed(versions, path / "apiVersions", wordings.API_VERSIONS)
    yield from ((path / "apiVersions")[index].required() for index, version in enumerate(versions) if not version)
    yield from _resource_errors(texts(rule, "resources"), path / "resources")
    scope = text(rule, "scope", ALL)
    if scope not in _SCOPES:
        yield (path / "scope").not_supported(scope, _SCOPES, as_json=True)


_OPERATIONS: Final = (ALL, "CONNECT", "CREATE", "DELETE", "UPDATE")


def _needed(found: Sequence[str], path: FieldPath, called: str) -> Iterator[FieldError]:
    """The errors of a list that must have entries, and only one if that is `*`."""
    if not found:
        yield path.required()
    if len(found) > 1 and ALL in found:
        yield path.invalid(list(found), wordings.all_and_more(called))


def _resource_errors(resources: Sequence[str], path: FieldPath) -> Iterator[FieldError]:
    if not resources:
        yield path.required()
    whole: set[str] = set()
    of_all: set[str] = set()
    is_plain = False
    for index, named in enumerate(resources):
        if not named:
            yield path[index].required()
            continue
        resource, slash, below = named.partition("/")
        if not slash:
            is_plain = named != ALL
            continue
        if resource in whole:
            yield path[index].invalid(named, wordings.all_subresources_and_more(resource, named))
        if below in of_all:
            yield path[index].invalid(named, wordings.subresource_of_all_and_more(below, named))
        if below == ALL:
            whole.add(resource)
        if resource == ALL:
            of_all.add(below)
    if len(resources) > 1 and "*/*" in resources:
        yield path.invalid(list(resources), wordings.EVERYTHING_AND_MORE)
    if ALL in resources and is_plain:
        yield path.invalid(list(resources), wordings.RESOURCES_AND_MORE)


def param_ref_errors(found: JSONValue, path: FieldPath) -> Iterator[FieldError]:
    """The errors of a paramRef."""
    if not isinstance(found, dict):
        return
    name, has_selector = text(found, "name"), isinstance(found.get("selector"), dict)
    if name:
        yield from ((path / "name").invalid(name, problem) for problem in path_segment(name))
        if has_selector:
            yield (path / "name").forbidden(wordings.NAME_AND_SELECTOR)
    if has_selector:
        yield from selector_errors(found["selector"], str(path / "selector"))
        if name:
            yield (path / "selector").forbidden(wordings.NAME_AND_SELECTOR)
    if not name and not has_selector:
        yield path.required(wordings.NEITHER_NAME_NOR_SELECTOR)
    action = text(found, "parameterNotFoundAction")
    if not action:
        yield (path / "parameterNotFoundAction").required()
    elif action not in ("Deny", "Allow"):
        yield (path / "parameterNotFoundAction").not_supported(action, ("Deny", "Allow"), as_json=True)
