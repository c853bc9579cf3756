"""The checks of LLMKube's own validating webhooks, so that their refusals are known in advance."""
