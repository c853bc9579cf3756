"""Runs the webhook behind a real API server for a long time: replicas and certificates are replaced under load, and some clients are
hostile.

`run.soak` is the main function. ``make soak`` runs it for an hour, and a test for some seconds.
"""
