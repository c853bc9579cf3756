"""What LLMKube's own validating webhooks refuse, check for check, so that it is known before they are asked."""
