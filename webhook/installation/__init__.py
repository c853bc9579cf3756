"""The installation in a cluster: one tree of manifests, written as plain YAML, as a kustomize base and as a Helm chart."""
