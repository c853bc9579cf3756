"""Policies of the configuration, and rules and fill-ins that have expressions, as the API server's admission policies.

Where a policy would say something else in the server, it isn't translated: `Untranslatable` says why.
"""
