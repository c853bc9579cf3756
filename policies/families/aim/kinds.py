"""The two API groups of AIM, which hold kinds of the same names.

Each group has an operator of its own. What it does with an object is read from its own source.
"""

from __future__ import annotations

from typing import Final

#: aim-engine's, at v0.2.1.
NEW: Final = "aim.eai.amd.com"
#: kaiwo's, at dbca1b55; its controllers were removed on 2026-04-23.
OLD: Final = "aim.silogen.ai"
