"""What LLMKube's own validating webhooks refuse, check for check, so that it can be told before they are asked."""
