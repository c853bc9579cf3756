"""The rules that comments and annotations can't ignore."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config.ignores import ENDED, GONE, UNUSABLE, UNUSED
from weighbridge.policies.verdict.judgement import INTERNAL_RULE

NEVER_IGNORED: Final = frozenset({INTERNAL_RULE, UNUSED, ENDED, UNUSABLE, GONE})
#: The beginning of the ids of the API server's refusals.
OF_THE_SERVER: Final = "K8S-"
