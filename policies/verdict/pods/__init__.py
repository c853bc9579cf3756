"""Findings about the pods of a request's object: together with other pods, with running pods, and from admission."""
