"""Whether a variable holds a secret in plain text: by the form of its value, or by its name."""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.facts.credentials import LONGEST, TOKENS, has_token
from weighbridge.policies.ground.expressions import expression

_NAMES: Final = expression(
    r"(?:.*_)?(?:TOKEN|PASSWORD|PASSWD|PASSPHRASE|SECRET|API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|CREDENTIALS)", re.IGNORECASE
)
#: Values that are never secrets, whatever the variable's name: a path, an address, a number, a reference to another variable.
_NO_SECRETS: Final = expression(r"[/.~].*|\w+://.*|-?[0-9.]+|.*\$\(.*|true|false|yes|no|on|off|none|null", re.IGNORECASE | re.DOTALL)
_SHORTEST: Final = 8


def holds_secret(name: str, value: str) -> bool:
    """Whether a variable's value is a secret."""
    return has_token(value) or (_NAMES.fullmatch(name) is not None and may_be_secret(value))


def may_be_secret(value: str) -> bool:
    """Whether a value, found where a secret is expected, can be one."""
    return len(value) >= _SHORTEST and not _NO_SECRETS.fullmatch(value)


#: The same as expressions that the API server reads: names, values that are none, and tokens.
PATTERNS: Final = {
    "named": f"r'(?i)^(?:{_NAMES.pattern})$'", "harmless": f"r'(?is)^(?:{_NO_SECRETS.pattern})$'", "token": f"r'{TOKENS.pattern}'",
}  # fmt: skip


def secret_in_cel(name: str, value: str) -> str:
    """`holds_secret` as CEL, for a name and a value that are expressions; `PATTERNS` are variables of it."""
    return (
        f"({value}.size() <= {LONGEST} && {value}.matches(variables.token) || {name}.matches(variables.named)"
        f" && {value}.size() >= {_SHORTEST} && !{value}.matches(variables.harmless))"
    )
