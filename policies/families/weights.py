"""How much memory a model's weights take on the GPU, as far as the name of its file or its repository shows.

The size is parameters times bits: `llama-8b-q4_k_m.gguf` has 8 thousand million parameters at 4.8 bits each. Bits per weight are those that
llama.cpp prints for its formats; a mixture of experts (`8x7b`) counts a fifth less, since the experts share parameters. Nothing is added
for context and buffers: the estimate is the least that is needed.

A repository has no file name. If its own name says nothing of bits (``FP8``, ``AWQ``, ``W4A16``, ``4bit``), its weights count as 16 bits
each, as they are published, and the figure is called an estimate.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

GIB: Final = 2**30
#: Bits per weight by quantization, as far as the names are in use.
BITS: Final = {
    "IQ1_S": 1.6, "IQ1_M": 1.8, "IQ2_XXS": 2.1, "IQ2_XS": 2.3, "IQ2_S": 2.5, "IQ2_M": 2.7, "Q2_K_S": 2.8, "Q2_K": 3.0,
    "IQ3_XXS": 3.1, "IQ3_XS": 3.3, "IQ3_S": 3.4, "IQ3_M": 3.7, "Q3_K_S": 3.5, "Q3_K_M": 3.9, "Q3_K_L": 4.3, "IQ4_XS": 4.3,
    "IQ4_NL": 4.5, "Q4_0": 4.6, "Q4_1": 5.0, "Q4_K_S": 4.6, "Q4_K_M": 4.8, "MXFP4": 4.3, "Q5_0": 5.5, "Q5_1": 6.0,
    "Q5_K_S": 5.5, "Q5_K_M": 5.7, "Q6_K": 6.6, "Q8_0": 8.5, "F16": 16.0, "FP16": 16.0, "BF16": 16.0, "F32": 32.0,
}  # fmt: skip
_QUANTIZATION: Final = expression(
    rf"(?<![A-Z0-9])(?:UD-)?({'|'.join(sorted(BITS, key=len, reverse=True))})(?![A-Z0-9]|_[A-Z0-9])", re.IGNORECASE
)
_PARAMETERS: Final = expression(r"(?<![A-Za-z0-9.])(?:([0-9]{1,3})x)?([0-9]{1,4}(?:\.[0-9]{1,3})?)b(?![A-Za-z0-9])", re.IGNORECASE)
#: The factor for a mixture of experts, since the experts share some parameters (Mixtral 8x7B has 46.7 thousand million, 8x22B has 141).
_OWN_TO_EXPERTS: Final = 0.8
_PART: Final = expression(r"-[0-9]{5}-of-[0-9]{5}(?=\.gguf$)")
_SIZE: Final = expression(r"([0-9]+(?:\.[0-9]+)?) ?(B|KiB|MiB|GiB|TiB)")
_UNITS: Final = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


@dataclass(frozen=True, slots=True)
class Weights:
    """The bytes of a model's weights, and the origin of this figure in words."""

    size: int
    known_from: str
    is_estimate: bool = False

    @property
    def shown(self) -> str:
        """The size in words."""
        return f"{'an estimated' if self.is_estimate else 'at least'} {self.size / GIB:.1f} GiB ({self.known_from})"


#: Bits by words in the names of repositories; for block formats, scales are included.
_NAMED_BITS: Final = {"FP8": 8.0, "NVFP4": 4.5, "MXFP4": 4.3, "AWQ": 4.2, "GPTQ": 4.2}
_BIT_WORDS: Final = expression(
    r"(?<![A-Z0-9])(?:(?P<word>FP8|NVFP4|MXFP4|AWQ|GPTQ)|INT(?P<int>[2-8])|W(?P<w>[2-8])A[0-9]{1,2}|(?P<bit>[2-8])-?BITS?)(?![A-Z0-9])",
    re.IGNORECASE,
)
#: Models that are published with fewer than 16 bits though their names don't say so: the beginnings of their names, with the bits.
_PUBLISHED_BITS: Final = {"gpt-oss-": 4.3}
_UNQUANTIZED: Final = 16.0


def in_repository(repository: str, bits: float = 0.0) -> Weights | None:
    """The size of a repository's weights by its name, at `bits` each if given; `None` if the name doesn't say."""
    name = repository.partition("@")[0].rpartition("/")[2]
    parameters = parameters_in(name)
    found = bits or repository_bits(name)
    if not parameters or not found or "gguf" in name.lower():
        return None
    return Weights(int(parameters * found / 8), f"{parameters / 1e9:g} billion parameters by its name, at {found:g} bits", is_estimate=True)


def repository_bits(name: str) -> float:
    """The bits of a weight by the repository's name: those in the name, else 16; 0 if the name has several."""
    found: set[float] = set()
    formats: set[float] = set()
    for match in _BIT_WORDS.finditer(name):
        number = match["int"] or match["w"] or match["bit"]
        if number:
            found.add(float(number))
        else:
            formats.add(_NAMED_BITS[match["word"].upper()])
    if found or formats:
        said = found or formats
        return min(said) if len(said) == 1 else 0.0
    return next((bits for start, bits in _PUBLISHED_BITS.items() if name.lower().startswith(start)), _UNQUANTIZED)


def estimated(parameters: float, quantization: str) -> Weights | None:
    """The size of a number of parameters in one of the formats of `BITS`; `None` if either isn't known."""
    bits = BITS.get(quantization, 0.0)
    if not parameters or not bits:
        return None
    words = f"{parameters / 1e9:g} billion parameters at {bits:g} bits ({quantization})"
    return Weights(int(parameters * bits / 8), words)


def stored_size(stored: str) -> int:
    """The bytes of a size as operators write it (``4.5 GiB``); 0 if it has no size."""
    found = _SIZE.fullmatch(stored)
    return int(float(found[1]) * _UNITS[found[2]]) if found is not None else 0


def quantization_in(name: str) -> str:
    """The quantization in a name, in capitals; empty if it has none, or several."""
    found = {match[1].upper() for match in _QUANTIZATION.finditer(_PART.sub("", name.rpartition("/")[2]))}
    return found.pop() if len(found) == 1 else ""


def parameters_in(name: str) -> float:
    """The number of parameters in a name (``8b``, ``8x7b``); 0 if it has none, or several."""
    found = {_parameters(match) for match in _PARAMETERS.finditer(name.rpartition("/")[2])}
    return found.pop() if len(found) == 1 else 0.0


def _parameters(match: re.Match[str]) -> float:
    size = float(match[2]) * 1e9
    return size * int(match[1]) * _OWN_TO_EXPERTS if match[1] else size
