"""The rules of llmaz, one file each."""
