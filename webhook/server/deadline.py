"""The time that a call may take: kube-apiserver writes its timeout for the webhook into the query (``?timeout=3s``), as a Go duration.

The decision has to arrive before that, so a margin is subtracted. Source: k8s.io/apiserver, pkg/admission/plugin/webhook.
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import parse_qs

from weighbridge.policies.ground.durations import SECOND, nanoseconds


def duration(text: str) -> float | None:
    """The seconds of a Go duration such as ``10s``, ``1.5s`` or ``1m30s``; `None` if the text isn't a duration above zero."""
    length = nanoseconds(text)
    return length / SECOND if length is not None and length > 0 else None


@lru_cache(maxsize=64)
def allowance(query: bytes, cap: float, margin: float) -> float:
    """The seconds that a call with this query may take: the smaller of the caller's timeout and `cap`, less the margin.

    Without a readable timeout in the query, it is the cap. The margin never takes more than half, so that some time is left to decide.
    """
    timeout = min(duration(_named(query)) or cap, cap)
    return max(timeout - margin, timeout / 2)


def _named(query: bytes) -> str:
    try:
        return parse_qs(query.decode("latin-1"), max_num_fields=16).get("timeout", [""])[0]
    except ValueError:
        return ""
