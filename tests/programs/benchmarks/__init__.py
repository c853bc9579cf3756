"""Measures speed as ratios within one run, since ratios vary less than times on a noisy machine."""
