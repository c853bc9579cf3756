"""What llmaz's own webhooks refuse, and how they rewrite what comes in."""
