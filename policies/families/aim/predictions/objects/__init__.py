"""Objects other than services: models, templates, caches, and those that a service creates."""
