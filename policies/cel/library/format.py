"""Named formats of Kubernetes: names, label values, URIs and a few formats of schemas.

format.dns1123Label().validate('my-name').hasValue()     -> false
format.named('uuid').value().validate('x').value()       -> ['does not match the UUID format']
format.named('nonsense').hasValue()                      -> false
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar, Final

from weighbridge.policies.cel.library import errors
from weighbridge.policies.cel.library.overload import EstimatedArguments, Library, one, one_estimated
from weighbridge.policies.cel.library.ranges import REGEX_FACTOR, STRING_FACTOR, CallEstimate
from weighbridge.policies.cel.library.standard_logic import FLAT
from weighbridge.policies.cel.values.access import cost_size
from weighbridge.policies.cel.values.types import STRING, list_of, optional_of, struct
from weighbridge.policies.cel.values.urls import UrlError, parse_request_uri
from weighbridge.policies.cel.values.values import NONE, Optional, Value
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.formats.predicates import is_of_format
from weighbridge.policies.schema.names import dns1035_label, dns1123_label, dns1123_subdomain, label_value, qualified_name


@dataclass(frozen=True, slots=True)
class FormatValue:
    """A format as a CEL value; `pattern_size` is the size of its regular expression, on which its costs depend."""

    name: str
    check: Callable[[str], list[str]]
    pattern_size: int

    cel_type: ClassVar[str] = "kubernetes.NamedFormat"
    go_type: ClassVar[str] = "cel.Format"

    def equals(self, other: object) -> bool | None:
        """Whether the names are the same; `None` if the other isn't a format."""
        return self.name == other.name if isinstance(other, FormatValue) else None


def _as_prefix(check: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    """The check of a name to which something will be appended, so that it may end with a dash."""

    def checked(text: str) -> list[str]:
        return check(text[:-2] + "a" if len(text.encode("utf-8", "surrogatepass")) > 1 and text.endswith("-") else text)

    return checked


def _uri(text: str) -> list[str]:
    try:
        parse_request_uri(text)
    except UrlError as error:
        return [str(error)]
    return []


def _of_format(name: str, message: str) -> Callable[[str], list[str]]:
    def checked(text: str) -> list[str]:
        return [] if is_of_format(name, text) else [message]

    return checked


_UUID_PATTERN_SIZE: Final = 70
_DATE_TIME_PATTERN_SIZE: Final = 71
FORMATS: Final = {
    "dns1123Label": FormatValue("DNS1123Label", dns1123_label, 30),
    "dns1123Subdomain": FormatValue("DNS1123Subdomain", dns1123_subdomain, 60),
    "dns1035Label": FormatValue("DNS1035Label", dns1035_label, 30),
    "qualifiedName": FormatValue("QualifiedName", qualified_name, 60),
    "dns1123LabelPrefix": FormatValue("DNS1123LabelPrefix", _as_prefix(dns1123_label), 30),
    "dns1123SubdomainPrefix": FormatValue("DNS1123SubdomainPrefix", _as_prefix(dns1123_subdomain), 60),
    "dns1035LabelPrefix": FormatValue("DNS1035LabelPrefix", _as_prefix(dns1035_label), 30),
    "labelValue": FormatValue("LabelValue", label_value, 40),
    "uri": FormatValue("URI", _uri, 1103),
    "uuid": FormatValue("uuid", _of_format("uuid", errors.NO_UUID), _UUID_PATTERN_SIZE),
    "byte": FormatValue("byte", _of_format("byte", errors.NO_BASE64), 84),
    "date": FormatValue("date", _of_format("date", errors.NO_DATE), _DATE_TIME_PATTERN_SIZE),
    "datetime": FormatValue("datetime", _of_format("date-time", errors.NO_DATE_TIME), _DATE_TIME_PATTERN_SIZE),
}


def named(name: str) -> Optional:
    """``format.named(name)``."""
    found = FORMATS.get(name)
    return NONE if found is None else Optional(present=True, value=found)


def validate(format_: FormatValue, text: str) -> Optional:
    """``format.validate(text)``: an optional with what is wrong with the text."""
    messages = format_.check(text)
    return Optional(present=True, value=messages) if messages else NONE


def _cost(_result: Value, format_: Value, text: Value) -> int:
    if not isinstance(format_, FormatValue):
        return 1
    return math.ceil((1.0 + cost_size(text)) * STRING_FACTOR) * math.ceil(format_.pattern_size * REGEX_FACTOR)


def _estimate(args: EstimatedArguments) -> CallEstimate:
    return CallEstimate(args.size(1).times(STRING_FACTOR).times(128 * REGEX_FACTOR))


def _constant(found: FormatValue) -> Callable[[], FormatValue]:
    return lambda: found


TYPE: Final = struct("kubernetes.NamedFormat")
FLAT.add(FormatValue)
LIBRARY: Final = Library(since=(1, 31))
LIBRARY.member("validate", "format-validate", (TYPE, STRING), optional_of(list_of(STRING)), validate, cost=_cost, estimate=_estimate)
LIBRARY.function("format.named", "format-named", (STRING,), optional_of(TYPE), named, cost=one, estimate=one_estimated)
for _name, _format in FORMATS.items():
    LIBRARY.function(f"format.{_name}", f"format.{_name}", (), TYPE, _constant(_format))
