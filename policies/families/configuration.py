"""The whole configuration: the document, and in it a section for each family that has settings.

A family's section is the dataclass `SETTINGS` of its module `settings`; its key in the document is the family's name in camel case. The
method `mistakes` finds what can't be meant in a section. Only this module of a family is imported to read a configuration.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import field, make_dataclass
from functools import cache
from typing import Any, Final

from weighbridge.policies.config import KIND, Configuration, Document, adapter, put_in_force
from weighbridge.policies.config.policies import Policies, Policy
from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.families import family_names
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_POLICIES: Final = "rules of the user's own, in CEL"
_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"


@cache
def sections() -> Mapping[str, type[Any]]:
    """The sections of the families that have one, by the families' names."""
    modules = {name: f"{__package__}.{name}.settings" for name in family_names()}
    return {name: importlib.import_module(module).SETTINGS for name, module in modules.items() if importlib.util.find_spec(module)}


@cache
def document_type() -> Any:
    """The document with the sections of the families: a dataclass over `Document`."""
    own: list[Any] = [(name, section, field(default_factory=section)) for name, section in sections().items()]
    own.append(("policies", list[Policy], field(default_factory=list, metadata={"description": _POLICIES})))
    told = {"__doc__": Document.__doc__, "__pydantic_config__": {**SECTION, "title": KIND}}
    return make_dataclass("Document", own, bases=(Document,), namespace=told, frozen=True)


def parse(document: JSONValue) -> Configuration:
    """Read a document. Raises pydantic's ValidationError with all of its mistakes."""
    read = adapter(document_type()).validate_python(document)
    policies = Policies(read.policies) if read.policies else None
    return put_in_force(read, {section: getattr(read, name) for name, section in sections().items()}, policies)


def json_schema() -> JSONObject:
    """The JSON Schema of the document, for editors."""
    schema: JSONObject = adapter(document_type()).json_schema(by_alias=True)
    # pydantic finds the docstring of a field only where the source of its class can be read, so not in the class that is built here.
    for key, described in adapter(Document).json_schema(by_alias=True)["properties"].items():
        told = {"description": described["description"]} if "description" in described else {}
        schema["properties"][key] = dict(sorted({**schema["properties"][key], **told}.items()))
    return {"$schema": _SCHEMA, **schema}
