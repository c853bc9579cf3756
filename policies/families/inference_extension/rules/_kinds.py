"""Written by `make schemas`: the rules of each kind, by the numbers in their ids."""

from typing import Final

KINDS: Final = {
    "InferenceModel": "001 002 003 004 005 006 007",
    "InferenceModelRewrite": "002 003 004 006 007 008 022 023 024 025",
    "InferenceObjective": "002 006 007 008",
    "InferencePool": "006 009 010 011 012 013 014 015 016 017 018 019 020 021 026 027",
}
