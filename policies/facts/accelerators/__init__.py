"""Accelerators that a node's labels speak of: tables of the vendors, kept as data with their sources, and what reads them.

A label says which product a node has, under one of several names and spellings; how many of it can be requested is said by the node's
allocatable resources alone. What no table knows is still named by the label's own words, or by its vendor.
"""

from __future__ import annotations

from weighbridge.policies.facts.accelerators.nvidia import MIG, WHOLE_GPU
from weighbridge.policies.facts.accelerators.recognition import (
    Accelerator,
    product_text,
    recognise,
    recognise_label,
    slicing_text,
    vendor_of_resource,
)

__all__ = ["MIG", "WHOLE_GPU", "Accelerator", "product_text", "recognise", "recognise_label", "slicing_text", "vendor_of_resource"]
