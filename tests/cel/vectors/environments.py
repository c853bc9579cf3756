"""The environments in which upstream's tests compile the expressions of the vectors, by the names of the tests.

Some tests declare functions that only stored expressions know, or only servers from some version on.
"""

from __future__ import annotations

import re
from functools import cache

from weighbridge.policies.cel.check.environment import Environment, environment, environment_of
from weighbridge.policies.cel.library import LIBRARIES
from weighbridge.policies.cel.library.overload import Library
from weighbridge.policies.cel.rules.rule_verdict import new_rules, stored_rules
from weighbridge.policies.cel.values.declared import DeclaredType, SelfTypes
from weighbridge.policies.cel.values.types import BOOL, STRING, struct
from weighbridge.policies.cel.versions import EVERYTHING, Version
from weighbridge.policies.schema.node import Schema

_VERSION = re.compile(r"/version=1\.(\d+),envType=(\w+)$")
_DECLARED = (
    "TestBaseEnvironment/library_version",
    "TestValidateCustomResourceDefinitionValidationRuleCompatibility",
    "TestCelCompilation/unmodified_expression",
    "TestCelCompilation/modified_expressions",
)


def environments_of(test: str) -> tuple[Environment, Environment]:
    """The environments of the rule and of the message in an upstream test."""
    if test.startswith(_DECLARED):
        stored, new = with_functions_of_tests(EVERYTHING), with_functions_of_tests(version_of(test))
        return (stored if "unchanged" in test or "unmodified" in test or "message_expression_is" in test else new), (
            stored if "unchanged" in test else new
        )
    if "keywords_are_invalid" in test:
        return environment((1, 30)), environment((1, 30))
    found = environment(version_of(test)) if _VERSION.search(test) else new_rules()
    return (stored_rules(), stored_rules()) if "are_not_ratcheted" in test else (found, found)


def version_of(test: str) -> Version:
    """The version that an upstream test's new expressions must be compatible with."""
    found = _VERSION.search(test)
    if found is None:
        return (1, 30)
    return EVERYTHING if found.group(2) == "StoredExpressions" else (1, int(found.group(1)))


@cache
def with_functions_of_tests(version: Version) -> Environment:
    """Adds the functions that upstream's tests declare: version 1 of their library exists from 1.28 on, the fake one only in stored
    rules.
    """
    declared = Library()
    since_v1 = version >= (1, 28)
    if version >= (1, 31) or version < (1, 30):
        declared.function("test", "test", (), BOOL, lambda: not since_v1)
    if since_v1:
        declared.function("testV1", "testV1", (), BOOL, lambda: True)
    if version == EVERYTHING:
        declared.function("fakeFunction", "fakeFunction", (STRING,), STRING, lambda text: text.upper())
    return environment_of([*LIBRARIES, declared], version)


def with_declared_variables(found: Environment, version: Version) -> Environment:
    """Adds the variables of upstream's tests of versions, which exist from 1.27 or 1.28 on."""
    gadget = SelfTypes(DeclaredType(Schema({"type": "object", "properties": {"namespace": {"type": "string"}}})), "Gadget")
    variables = {"authorizer": struct("kubernetes.authorization.Authorizer")} if version >= (1, 27) else {}
    if version >= (1, 28):
        variables |= {"fizz": STRING, "gadget": gadget.type}
    return found.with_variables(variables, gadget)
