"""The two API groups of AIM, which have kinds of the same names.

Each group has a different operator, whose behaviour is read from its own source.
"""

from __future__ import annotations

from typing import Final

#: The group of aim-engine, read at v0.2.1.
NEW: Final = "aim.eai.amd.com"
#: The group of kaiwo, read at dbca1b55; its controllers were removed on 2026-04-23.
OLD: Final = "aim.silogen.ai"
