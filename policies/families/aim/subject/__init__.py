"""The objects that AIM's rules judge and look up, as they are or will be in the cluster."""
