"""Weighbridge: the engine (`policies`), its doors (`webhook`) and its certificates (`certs`)."""

__version__ = "0.1.0"
