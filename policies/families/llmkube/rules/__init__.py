"""The rules of LLMKube, one file each, by topic."""

from __future__ import annotations

from typing import Final

#: What the rules from an id on speak of; a new rule takes the next free id of its topic.
TOPICS: Final = {
    1: "GPUs and memory of a Model",
    20: "source and files of a Model",
    40: "shared and split GPUs",
    47: "what a service refers to, its caches and its engine",
    60: "image and GPUs of a service",
    70: "name, ports and scaling of a service",
    75: "settings of a service that are ignored, refused or risky",
    100: "ModelRouters",
    120: "GPUQuotas",
    130: "ModelPools",
    140: "LoRAAdapters",
    150: "federation",
    160: "command lines of engines",
    170: "what a service needs of the cluster, and what keeps it from running",
}
