"""The llmaz family, against recordings of its controllers and webhooks."""
