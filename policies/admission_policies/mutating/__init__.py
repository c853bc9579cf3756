"""MutatingAdmissionPolicies: the objects as they change them."""
