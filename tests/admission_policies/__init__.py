"""The cluster's own policies: what they refuse, warn of and leave alone, and what of them isn't known offline."""
