"""The llmaz family, compared with recordings of its controllers and webhooks."""
