"""Policies of the configuration, and rules that have expressions, as ValidatingAdmissionPolicies.

Where a policy would say something else in the server, it isn't translated: `Untranslatable` says why.
"""
