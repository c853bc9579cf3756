"""Installing it, as the manifests and the documentation tell."""
