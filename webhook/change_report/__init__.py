"""What a change means for other objects, and what an upgrade means for a cluster, as text and as JSON."""
