"""What the sections of the configuration share: how their keys are spelled, and values by vendor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar


def key_of(name: str) -> str:
    """The key under which a setting stands in the document: ``resource_names`` is ``resourceNames``."""
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


SECTION: dict[str, Any] = {"extra": "forbid", "alias_generator": key_of, "use_attribute_docstrings": True}


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
        """The value for a vendor; `None` where none is given or the vendor isn't one."""
        return {"nvidia": self.nvidia, "amd": self.amd, "intel": self.intel}.get(vendor)
