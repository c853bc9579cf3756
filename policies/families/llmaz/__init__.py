"""llmaz: models in llmaz.io, and playgrounds, services and runtimes in inference.llmaz.io.

Upstream: https://github.com/InftyAI/llmaz, read at 3c13ff3.
"""

from __future__ import annotations

from typing import Final

#: The API groups of its kinds.
GROUPS: Final = ("inference.llmaz.io", "llmaz.io")
