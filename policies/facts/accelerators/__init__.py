"""Accelerators by a node's labels: tables of the vendors, kept as data with their sources, and their readers.

A label names the product of a node, in one of several spellings. Only the node's allocatable resources say how many of it pods can request.
A product that isn't in a table is named by the label's text, or by its vendor.
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
