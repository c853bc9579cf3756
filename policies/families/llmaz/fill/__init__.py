"""Fields of llmaz's objects that Weighbridge fills in if the author left them empty."""
