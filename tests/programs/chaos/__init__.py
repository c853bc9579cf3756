"""Incidents in a cluster, one after the other, under load on a real control plane."""
