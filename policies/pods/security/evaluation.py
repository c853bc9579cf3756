"""The violations of a standard by a pod, in the server's words.

Source: k8s.io/pod-security-admission v0.37, policy/registry.go (NewEvaluator, populate) and policy/checks.go (AggregateCheckResults).
"""

from __future__ import annotations

from functools import lru_cache

from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.security import baseline, restricted
from weighbridge.policies.pods.security.checked_pod import Check, CheckedPod
from weighbridge.policies.pods.security.standard import BASELINE, Standard
from weighbridge.policies.pods.security.wordings import violated


def breach(metadata: JSONObject, spec: JSONObject, standard: Standard) -> str:
    """The violations: ``hostPort (container "a" uses hostPort 80), privileged (...)``; empty for a pod that satisfies the standard.

    `metadata` and `spec` are those of a pod that the API server has filled in, or of a template.
    """
    if standard.is_free:
        return ""
    pod = CheckedPod(spec, text_map(metadata, "annotations"))
    return violated(filter(None, (check(pod) for check in _checks(standard.level, standard.minor(release().version[1])))))


@lru_cache(maxsize=128)
def _checks(level: str, minor: int) -> tuple[Check, ...]:
    """The checks of a level in a minor version, in the server's order: those of baseline first, each part sorted by id."""
    own = _in_version(baseline.CHECKS, minor)
    if level == BASELINE:
        return tuple(own.values())
    more = _in_version(restricted.CHECKS, minor)
    replaced = {restricted.REPLACED.get(name) for name in more}
    return (*(check for name, check in own.items() if name not in replaced), *more.values())


def _in_version(checks: dict[str, tuple[tuple[int, Check], ...]], minor: int) -> dict[str, Check]:
    known = {name: [check for since, check in forms if since <= minor] for name, forms in sorted(checks.items())}
    return {name: forms[-1] for name, forms in known.items() if forms}
