"""The model side of LLMKube: sources, files, storage, Model status, rules on Model."""
