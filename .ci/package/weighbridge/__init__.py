"""Weighbridge: the engine (`policies`), its doors (`webhook`) and its certificates (`certs`)."""
