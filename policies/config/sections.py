"""Parts of several sections: the spelling of keys, settings of an operator, and values by vendor."""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeVar, cast

from weighbridge.policies.ground.records import dataclass, field, fields

_Value = TypeVar("_Value")
#: Ids of policies begin with this; no rule has such an id.
POLICY_PREFIX: Final = "POLICY-"
#: The id of the finding that a policy fails.
POLICY_FAILS: Final = "WB-014"


def key_of(name: str) -> str:
    """The key of a setting in the document: ``resource_names`` is ``resourceNames``."""
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


SECTION: dict[str, Any] = {"extra": "forbid", "alias_generator": key_of, "use_attribute_docstrings": True}


def setting(default: _Value, flag: str, meaning: str, shape: Any = None) -> _Value:
    """A field that is a setting of an operator, with upstream's default.

    `flag` is its flag or its environment variable, empty if it has none. `meaning` describes it in the schema of the configuration, with
    ``{}`` for the flag. `shape` is its type in the configuration, unless that is the type of the default.
    """
    made: Any = field(default=default, metadata={"flag": flag, "description": meaning.format(flag), "shape": shape})
    return cast("_Value", made)


def shape_of(entry: Any) -> Any:
    """The type of a setting in the configuration, by its field."""
    return entry.metadata["shape"] or type(entry.default)


def as_given(settings: type[Any]) -> type[Any]:
    """The settings of an operator as optional keys of the configuration."""
    keys = fields(settings)
    body: dict[str, Any] = {entry.name: field(default=None, metadata=entry.metadata) for entry in keys}
    annotations = {entry.name: shape_of(entry) | None for entry in keys}
    return dataclass(frozen=True)(type(settings.__name__, (), {"__annotations__": annotations, **body}))


@dataclass(frozen=True)
class Vendors:
    """A value per GPU vendor."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    nvidia: str | None = None
    """for vendor nvidia"""
    amd: str | None = None
    """for vendor amd"""
    intel: str | None = None
    """for vendor intel"""

    def of(self, vendor: str) -> str | None:
        """The value for a vendor; `None` if none is given or the vendor isn't known."""
        return {"nvidia": self.nvidia, "amd": self.amd, "intel": self.intel}.get(vendor)
