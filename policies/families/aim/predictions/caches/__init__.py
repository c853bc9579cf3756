"""The caches of a service's weights, with the claims that its pods mount."""
