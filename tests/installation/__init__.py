"""The installation, with the manifests and by the documentation."""
