"""Policies of the configuration, and rules and fill-ins that have expressions, as the API server's admission policies.

A policy that would have another result in the server isn't translated: `Untranslatable` has the reason.
"""
