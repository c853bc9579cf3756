"""What several tests of rendering need."""

from __future__ import annotations

from tests.rendering.trees import no_programs

__all__ = ["no_programs"]
