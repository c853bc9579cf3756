"""The cluster's own policies: what they refuse, warn of and accept, and which results aren't known offline."""
