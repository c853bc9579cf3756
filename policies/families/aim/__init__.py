"""AMD Inference Microservices (AIM): models, templates and services on KServe, in their old group and in its successor.

Upstream: https://github.com/silogen/kaiwo, read at dbca1b55 (aim.silogen.ai), and https://github.com/amd-enterprise-ai/aim-engine, read at
v0.2.1 (aim.eai.amd.com).
"""

from __future__ import annotations

from typing import Final

#: The API groups of its kinds.
GROUPS: Final = ("aim.eai.amd.com", "aim.silogen.ai")
