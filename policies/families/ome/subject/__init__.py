"""The objects that rules and predictions read: models, runtimes, accelerator classes and services."""
