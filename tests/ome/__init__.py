"""Compares the family's predictions with recordings of OME's controllers and webhooks."""
