"""The one way to make code: a writer of typed Python source, and the one place that compiles it.

Schema and CEL emitters both write through this package. What a user wrote reaches generated source only as a literal or as a constant
bound by an identifier that the writer made itself.
"""

from __future__ import annotations

from weighbridge.policies.codegen.cache import Cache
from weighbridge.policies.codegen.unit import CompiledUnit, GeneratedUnit, load
from weighbridge.policies.codegen.writer import SourceWriter

__all__ = ["Cache", "CompiledUnit", "GeneratedUnit", "SourceWriter", "load"]
