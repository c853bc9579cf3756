"""Where a pod finds its weights: the cache and its claims, the containers that download, the volumes and mounts."""
