"""What AIM's rules judge, and what they look up: objects as they are or will be in the cluster."""
