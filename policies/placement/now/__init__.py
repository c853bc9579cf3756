"""Placement with the running pods: free resources, the pods that would have to go, and the messages."""
