"""OME: models, serving runtimes, accelerator classes, inference services and benchmarks of ome.io.

Upstream: https://github.com/sgl-project/ome, read and run at v0.1.5.
"""

from __future__ import annotations

from typing import Final

#: The API groups of its kinds.
GROUPS: Final = ("ome.io",)
