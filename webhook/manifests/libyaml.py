"""PyYAML, for libyaml's events.

On import it compiles the expressions of its own reader in Python, which takes longer than reading a manifest. Here they are compiled when
that reader is first used, which other modules may do.
"""

from __future__ import annotations

import re

from weighbridge.policies.ground.expressions import expression

_compile, re.compile = re.compile, expression
try:
    import yaml
    from yaml._yaml import CParser
finally:
    re.compile = _compile

__all__ = ["CParser", "yaml"]
