"""How Go prints values: `%v`, `%q` and encoding/json, as Kubernetes' messages hold them.

Messages quote the user's value, so equal words need equal printing: floats in `%v` change to an exponent at 1e+06 where Python
doesn't, JSON escapes ``<``, ``>`` and ``&``, and `%q` has its own escapes. Source: Go's strconv, fmt and encoding/json packages.
"""

from __future__ import annotations

import math
import unicodedata

from weighbridge.policies.ground.objects import JSONValue

_QUOTE_ESCAPES = {
    "\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", '"': r"\"", "\\": r"\\",
}  # fmt: skip
#: Go's white space; Python's has four more characters.
_SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_JSON_ESCAPES = {
    '"': r"\"", "\\": r"\\", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t",
    "<": r"\u003c", ">": r"\u003e", "&": r"\u0026", "\u2028": r"\u2028", "\u2029": r"\u2029",
}  # fmt: skip


def _digits(value: float) -> tuple[str, str, int]:
    """Sign, shortest significant digits and decimal exponent (of the first digit) of a finite float."""
    text = repr(abs(value))
    if "e" in text:
        mantissa, _, exponent = text.partition("e")
        digits = mantissa.replace(".", "")
        return ("-" if math.copysign(1, value) < 0 else ""), digits.rstrip("0") or "0", int(exponent)
    whole, _, fraction = text.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return ("-" if math.copysign(1, value) < 0 else ""), "0", 0
    power = len(whole) - 1 if whole != "0" else -(len(fraction) - len(fraction.lstrip("0")) + 1)
    return ("-" if math.copysign(1, value) < 0 else ""), digits.rstrip("0"), power


def _scientific(sign: str, digits: str, power: int) -> str:
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _positional(sign: str, digits: str, power: int) -> str:
    if power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    if power >= len(digits) - 1:
        return f"{sign}{digits}{'0' * (power - len(digits) + 1)}"
    return f"{sign}{digits[: power + 1]}.{digits[power + 1 :]}"


def _special(value: float) -> str | None:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return None


def float_text(value: float) -> str:
    """A float as `%v` prints it: shortest digits, an exponent below 1e-04 and from 1e+06 on."""
    special = _special(value)
    if special is not None:
        return special
    sign, digits, power = _digits(value)
    return _scientific(sign, digits, power) if power < -4 or power >= 6 else _positional(sign, digits, power)


def value_text(value: JSONValue) -> str:
    """A bad value as a field error prints it: scalars by `%v`, strings by `%q`, the rest as JSON."""
    if isinstance(value, str):
        return quote(value)
    return float_text(value) if isinstance(value, float) else json_text(value)


def quote(text: str) -> str:
    """A string as `%q` prints it."""
    if text.isascii() and text.isprintable():
        return '"' + text.replace("\\", r"\\").replace('"', r"\"") + '"'
    out = []
    for char in text:
        escaped = _QUOTE_ESCAPES.get(char)
        code = ord(char)
        if escaped is not None:
            out.append(escaped)
        elif code < 0x20 or code == 0x7F:
            out.append(f"\\x{code:02x}")
        elif char == " " or unicodedata.category(char)[0] not in "CZ":
            out.append(char)
        elif 0xDC80 <= code <= 0xDCFF:
            # A byte that isn't UTF-8, as `surrogateescape` keeps it.
            out.append(f"\\x{code - 0xDC00:02x}")
        elif 0xD800 <= code <= 0xDFFF:
            out.append(r"\ufffd")
        else:
            out.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return '"' + "".join(out) + '"'


def trimmed(text: str) -> str:
    """A text without white space at either end, as Go defines white space."""
    return text.strip(_SPACES)


def without_surrogates(text: str) -> str:
    """The text as Go decodes it from JSON: half of a surrogate pair becomes U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def time_quote(text: str | bytes) -> str:
    """A string as Go's package `time` quotes it: control characters and bytes beyond ASCII as ``\\x..``, DEL as it is."""
    data = text if isinstance(text, bytes) else without_surrogates(text).encode()
    return '"' + "".join(map(_time_byte, data)) + '"'


def _time_byte(byte: int) -> str:
    if byte < 0x20 or byte >= 0x80:
        return f"\\x{byte:02x}"
    return f"\\{byte:c}" if byte in b'"\\' else chr(byte)


def json_word(value: JSONValue) -> str:
    """The word for a value's type in Go's JSON errors."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "number"
    return "array" if isinstance(value, list) else "object"


def _json_string(text: str) -> str:
    out = []
    for char in text:
        code = ord(char)
        escaped = _JSON_ESCAPES.get(char)
        if escaped is not None:
            out.append(escaped)
        elif code < 0x20:
            out.append(f"\\u{code:04x}")
        else:
            out.append("\ufffd" if 0xD800 <= code <= 0xDFFF else char)
    return '"' + "".join(out) + '"'


def _json_float(value: float) -> str:
    sign, digits, power = _digits(value)
    if value != 0 and (power < -6 or power >= 21):
        text = _scientific(sign, digits, power)
        # encoding/json cleans up e-09 to e-9.
        return text[:-2] + text[-1] if text[-4:-1] == "e-0" else text
    return _positional(sign, digits, power)


def json_text(value: JSONValue) -> str:
    """A value as encoding/json marshals it: sorted keys, no spaces, HTML characters escaped. Any depth is fine."""
    if not isinstance(value, (dict, list)):
        return _json_scalar(value)
    out: list[str] = []
    # What is still to be written, in reverse order. A finished text is a tuple of one, so that it differs from a value.
    pending: list[JSONValue | tuple[str]] = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, tuple):
            out.append(current[0])
        elif isinstance(current, dict):
            out.append("{")
            pending.append(("}",))
            keys = sorted(current, reverse=True)
            for key in keys:
                pending.append(current[key])
                pending.append((f"{'' if key is keys[-1] else ','}{_json_string(key)}:",))
        elif isinstance(current, list):
            out.append("[")
            pending.append(("]",))
            for index in range(len(current) - 1, -1, -1):
                pending.append(current[index])
                if index:
                    pending.append((",",))
        else:
            out.append(_json_scalar(current))
    return "".join(out)


def _json_scalar(value: JSONValue) -> str:
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return _json_string(value)
    return _json_float(value) if isinstance(value, float) else str(value)
