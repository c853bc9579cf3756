"""What rules and predictions look at: models, runtimes, accelerator classes and services."""
