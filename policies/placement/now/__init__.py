"""Placement with the running pods: free resources, the pods that would have to be removed, and the messages."""
