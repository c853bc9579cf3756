"""The rules of LLMKube, one file each."""
