"""How long a call may take: kube-apiserver writes its timeout for the webhook into the query, ``?timeout=3s``, as Go prints durations.

The decision has to be back before that, so a margin is taken off. Source: k8s.io/apiserver, pkg/admission/plugin/webhook.
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import parse_qs

from weighbridge.policies.ground.durations import SECOND, nanoseconds


def duration(text: str) -> float | None:
    """The seconds of a Go duration such as ``10s``, ``1.5s`` or ``1m30s``; `None` where the text is none or isn't above zero."""
    length = nanoseconds(text)
    return length / SECOND if length is not None and length > 0 else None


@lru_cache(maxsize=64)
def allowance(query: bytes, cap: float, margin: float) -> float:
    """The seconds that a call with this query may take: the shorter of the caller's timeout and `cap`, less the margin.

    A query without a readable timeout leaves the cap. The margin never takes more than half, so that something is left to decide in.
    """
    timeout = min(duration(_named(query)) or cap, cap)
    return max(timeout - margin, timeout / 2)


def _named(query: bytes) -> str:
    try:
        return parse_qs(query.decode("latin-1"), max_num_fields=16).get("timeout", [""])[0]
    except ValueError:
        return ""
