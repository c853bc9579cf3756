"""The refusals of llmaz's own webhooks, and how they rewrite objects."""
