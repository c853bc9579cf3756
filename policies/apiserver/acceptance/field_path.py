"""Paths of fields as validation builds them, and the usual errors at a path.

A path is joined only when it is printed: a schema has many more nodes than errors. Source:
k8s.io/apimachinery/pkg/util/validation/field/path.go.
"""

from __future__ import annotations

from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError, supported_values, unsupported
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class PrintedError(FieldError):
    """An error whose bad value is one of the server's own structs, already as text."""

    printed: str = ""

    @property
    def body(self) -> str:
        """The text without the field."""
        word = FieldError(self.type, self.field).body
        return f"{word}: {self.printed}: {self.detail}"


class FieldPath:
    """A path; ``path / "name"`` is a field below it, ``path[3]`` an item and ``path["key"]`` the value of a key."""

    __slots__ = ("_parent", "_step")

    def __init__(self, step: str, parent: FieldPath | None = None) -> None:
        self._step, self._parent = step, parent

    def __truediv__(self, name: str) -> FieldPath:
        return FieldPath(f".{name}", self)

    def __getitem__(self, key: str | int) -> FieldPath:
        return FieldPath(f"[{key}]", self)

    def __str__(self) -> str:
        steps: list[str] = []
        node: FieldPath | None = self
        while node is not None:
            steps.append(node._step)  # noqa: SLF001 - of its own kind
            node = node._parent  # noqa: SLF001
        return "".join(reversed(steps)).removeprefix(".")

    def invalid(self, value: JSONValue, detail: str) -> FieldError:
        """The value is wrong."""
        return FieldError(ErrorType.INVALID, str(self), value, detail)

    def invalid_text(self, text: str, detail: str) -> FieldError:
        """The value is wrong, and is printed as `text`."""
        return PrintedError(ErrorType.INVALID, str(self), OMITTED, detail, text)

    def required(self, detail: str = "") -> FieldError:
        """The value is missing."""
        return FieldError(ErrorType.REQUIRED, str(self), OMITTED, detail)

    def forbidden(self, detail: str) -> FieldError:
        """The value isn't allowed."""
        return FieldError(ErrorType.FORBIDDEN, str(self), OMITTED, detail)

    def not_supported(self, value: str, supported: tuple[str, ...], *, as_json: bool = False) -> FieldError:
        """The value isn't one of the supported ones; values of named types are printed as JSON."""
        if as_json:
            return PrintedError(ErrorType.NOT_SUPPORTED, str(self), OMITTED, supported_values(supported), json_text(value))
        return unsupported(str(self), value, supported)
