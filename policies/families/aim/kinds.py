"""The two API groups of AIM, which hold kinds of the same names.

The operators differ in more than the group: what each makes of an object is read from its own source, and told apart by the group.
"""

from __future__ import annotations

from typing import Final

#: aim-engine's, at v0.2.1.
NEW: Final = "aim.eai.amd.com"
#: kaiwo's, at dbca1b55; its controllers were removed on 2026-04-23.
OLD: Final = "aim.silogen.ai"
