"""Credentials in a text: users in URLs, values of queries, passwords in connection strings, and tokens by their forms.

Texts are kept without these.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.expressions import expression

BLANK: Final = "REDACTED"
#: No name, path or URL is longer.
LONGEST: Final = 4096

_PAIR: Final = expression(
    r"(?i)(?:password|passwd|passphrase|(?<![a-z])pass|pwd|secret|token|(?:api|access|account|private|shared)[-_ ]?key|credentials?"
    r"|signature|authorization)[\"']?\s*[=:]\s*\S"
)
_SCHEME: Final = expression(r"(?i)\b(?:bearer|basic)\s+\S")
#: user:password@host without a scheme before it; a digest of an image looks similar.
_LOGIN: Final = expression(r"^[^\s/@:]+:[^\s/@]+@(?!sha[0-9]+:)")
#: In the name of a Hugging Face model a branch follows the sign.
_USER: Final = expression(r"(?<=://)(?:(?<!hf://)[^/?#\s@]*@|[^/?#\s:@]+:(?![0-9]+(?:[/?#]|$))[^\s@]*@)+")
_PARAMETER: Final = expression(r"([?&;][^=&;#\s]+=)[^&;#\s]+")
_BARE_QUERY: Final = expression(r"\?[^=&\s#]+(?=#|\s|$)")
_FRAGMENT: Final = expression(r"(?<=#)\S+$")
#: Tokens by their beginnings. Names of AIM's artifacts begin with `hf---`, unlike tokens of Hugging Face. RE2 can read this too.
TOKENS: Final = expression(
    r"-----BEGIN |\beyJ[\w-]{8,}\.[\w-]+\.|\b(?:gh[opsur]|github_pat|glpat|npm|dckr_pat|nvapi|xai|gsk)[_-][\w-]{16,}"
    r"|\bhf(?:_[\w-]{16}|-\w[\w-]{15}|--\w[\w-]{14})[\w-]*"
    r"|\bsk-(?:[a-z]+-){0,4}[A-Za-z0-9_]{16,}|\bxox[abeprs]-[\w-]{8,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}"
)


#: The same within other words: logins after a sign or a space, values of queries and pairs, credentials after a scheme, whole tokens.
_LOGIN_WITHIN: Final = expression(r"(?<![^\s/\"'`(\[{<=,;|>])[^\s/@:\"'`(\[{<=,;|]+:[^\s/@\"'`]+@(?!sha[0-9]+:)")
_USER_WITHIN: Final = expression(r"(?<=://)(?:(?<!hf://)[^/?#\s@\"'`]*@|[^/?#\s:@\"'`]+:(?![0-9]+(?:[/?#]|$))[^\s@\"'`]*@)+")
#: The signs at which every login ends. The two forms above search for the end of a login from each possible start, so they get only short
#: runs.
_BETWEEN: Final = expression(r"([\s\"'`]+)")
_LONG_RUN: Final = expression(rf"\S{{{LONGEST + 1},}}")
#: In CEL a question mark or two ampersands may come before a comparison.
_QUERY_WITHIN: Final = expression(r"((?<!&)[?&][^\s=&?\"'`]*[^\s=&?\"'`<>!]=)(?!=)[^\s&\"'`<>]*[^\s&\"'`<>.,;:)\]}]")
_PAIR_WITHIN: Final = expression(
    r"(?i)((?:password|passwd|passphrase|pwd|secret|token|(?:api|access|account|private|shared)[-_ ]?key|credentials?|signature"
    r"|authorization)=)(?![=(])[^\s\"'`,;)\]}]+"
)
_SCHEME_WITHIN: Final = expression(r"(?i)\b(bearer|basic)\s+(?=[^\s]*[0-9+/=])[\w+/=.~-]{12,}")
_TOKENS_WITHIN: Final = expression(rf"(?:{TOKENS.pattern})[\w.=+/-]*")
#: Every text with credentials has one of these.
_SIGNS: Final = expression(
    r"[@?&#=;]|(?i:pass|pwd|secret|token|key|credential|signature|authorization|bearer|basic)|-----BEGIN |eyJ"
    r"|(?:gh[opsur]|pat|hf|npm|nvapi|xai|gsk)[_-][\w-]{16}|sk-|xox|AKIA|ASIA|AIza"
)
#: These signs again, in a form that is found several times as fast in texts of ASCII: marks, words in lower case, beginnings of tokens,
#: and tokens with a long word after a dash.
_MARKS: Final = expression(r"[@?&#=;]")
_SCHEMES: Final = ("bearer", "basic")
_WORDS: Final = ("pass", "pwd", "secret", "token", "key", "credential", "signature", "authorization", *_SCHEMES)
_BEGINNINGS: Final = ("-----BEGIN ", "eyJ", "sk-", "xox", "AKIA", "ASIA", "AIza")
_LONG_WORD: Final = expression(r"[_-](?:(?<=gh[opsur].)|(?<=pat.)|(?<=hf.)|(?<=npm.)|(?<=nvapi.)|(?<=xai.)|(?<=gsk.))[\w-]{16}")


#: The forms within other words as RE2 can look for them, which can't look around: it finds some more texts than those above.
RE2_FORMS: Final = "|".join((
    # In a model of Hugging Face the sign is followed by a branch.
    r"([^f]|(^|[^h])f)://[^/?#\s]*@",
    r"[^\s/@:]:[^\s/@]+@([^s]|s[^h]|sh[^a])",
    r"[?&][^\s=&?]*[^\s=&?<>!]=[^\s=&]",
    r"(?i:(password|passwd|passphrase|pwd|secret|token|[-_]key|credentials?|signature|authorization)=[^\s=(])",
    TOKENS.pattern,
))  # fmt: skip


def has_token(text: str) -> bool:
    """Whether a text contains a token that can be recognised by its form, such as one of Hugging Face."""
    return len(text) <= LONGEST and TOKENS.search(text) is not None


def without_credentials(text: str) -> str:
    """The text without its credentials; it is blank if they can't be separated."""
    if len(text) > LONGEST:
        return BLANK
    if text.isalnum():
        return BLANK if TOKENS.search(text) else text
    kept = _USER.sub(f"{BLANK}@", text)
    kept = _BARE_QUERY.sub(f"?{BLANK}", _PARAMETER.sub(rf"\g<1>{BLANK}", kept))
    if "://" in kept:
        kept = _FRAGMENT.sub(BLANK, kept)
    rest = _PARAMETER.sub("", kept)
    return BLANK if any(form.search(rest) for form in (TOKENS, _PAIR, _SCHEME, _LOGIN)) else kept


def may_have_credentials(text: str) -> bool:
    """Whether a text can have credentials, by a fast check."""
    if not text.isascii():
        return _SIGNS.search(text) is not None
    if _MARKS.search(text) is not None:
        return True
    lowered = text.lower()
    return any(map(lowered.__contains__, _WORDS)) or _may_have_token(text)


def _may_have_token(text: str) -> bool:
    return any(map(text.__contains__, _BEGINNINGS)) or _LONG_WORD.search(text) is not None


def without_credentials_in(words: str) -> str:
    """A sentence without the credentials in the texts that it quotes; the rest is kept."""
    if len(words) > LONGEST:
        words = _LONG_RUN.sub(BLANK, words)
    if "@" in words:
        words = "".join(_without_login(run) if "@" in run else run for run in _BETWEEN.split(words))
    if "=" in words:
        words = _PAIR_WITHIN.sub(rf"\g<1>{BLANK}", _QUERY_WITHIN.sub(rf"\g<1>{BLANK}", words))
    # A letter beyond ASCII may be the same as one of these without regard to case.
    lowered = words.lower() if words.isascii() else ""
    if not lowered or any(map(lowered.__contains__, _SCHEMES)):
        words = _SCHEME_WITHIN.sub(rf"\g<1> {BLANK}", words)
    if not lowered or _may_have_token(words):
        words = _TOKENS_WITHIN.sub(BLANK, words)
    return words


def _without_login(run: str) -> str:
    """A run of characters (no spaces or quotes) without the users and passwords in it."""
    return _LOGIN_WITHIN.sub(f"{BLANK}@", _USER_WITHIN.sub(f"{BLANK}@", run))
