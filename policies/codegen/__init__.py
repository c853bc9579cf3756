"""The only way to generate code: a writer of typed Python source, and the only place that compiles it.

Schema and CEL emitters both write through this package. A user's text reaches generated source only as a literal, or as a constant
with an identifier that the writer chose.
"""

from __future__ import annotations

from weighbridge.policies.codegen.cache import Cache
from weighbridge.policies.codegen.unit import CompiledUnit, GeneratedUnit, load
from weighbridge.policies.codegen.writer import SourceWriter

__all__ = ["Cache", "CompiledUnit", "GeneratedUnit", "SourceWriter", "load"]
